/**
 * All migrations, in order, as SQL for both engines. Each store records the names that ran in it, so entries are added
 * at the end and never edited, renamed or removed once landed.
 */

import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';
import { signaturesAgain } from './sign-again.ts';

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  /** One repository. `roots`: JSON list of the paths it was seen at, in the order they were seen. */
  '0001-projects': createTable(
    'projects',
    `id text primary key not null, name text not null, basis text not null, roots text not null,
    created_at text not null`,
  ),
  /** One session of an agent, or one run of a sub-agent that has its own session id. */
  '0002-sessions': createTable(
    'sessions',
    `id text primary key not null, agent text not null, session_id text not null, parent_session_id text,
    project_id text not null, cwd text, branch text, model text, agent_version text, started_at text not null,
    last_seen_at text not null, ended_at text, end_reason text, source text not null,
    constraint sessions_key unique (agent, session_id)`,
    'create index sessions_by_project on sessions (project_id, last_seen_at)',
  ),
  /** The counters follow from `tool_outcomes`, and change in the transaction that changes the calls. */
  '0003-signatures': createTable(
    'signatures',
    `id text primary key not null, version integer not null, template text not null, program text not null,
    tool text not null, category text, count integer default 0 not null, sessions integer default 0 not null,
    projects integer default 0 not null, first text, last text`,
  ),
  /** One call with its outcome. Indexes contain only ids and times: PostgreSQL rejects entries over 2,700 bytes. */
  '0004-tool-outcomes': createTable(
    'tool_outcomes',
    `id text primary key not null, agent text not null, session_id text not null, root_session_id text not null,
    context_id text not null, call_id text not null, project_id text not null, tool_name text not null,
    raw_tool_name text not null, outcome text not null, outcome_type text not null, message text, exit_code bigint,
    masked integer not null, surfaced_at text, resolved_at text, signature_id text references signatures (id),
    tool_input_hash text, input_summary text, output_summary text, program text, target_path text,
    duration_ms double precision, duration_source text, preceding_tool_id text, analyzed integer default 0 not null,
    occurred_at text not null, created_at text not null,
    constraint tool_outcomes_key unique (agent, session_id, call_id)`,
    'create index tool_outcomes_by_context on tool_outcomes (agent, session_id, context_id, occurred_at, id)',
    'create index tool_outcomes_by_project on tool_outcomes (project_id, occurred_at)',
    'create index tool_outcomes_by_signature on tool_outcomes (signature_id, project_id, occurred_at)',
    'create index tool_outcomes_by_time on tool_outcomes (occurred_at, id)',
  ),
  /**
   * Failures by session and signature. A view, so that every failure belongs to a call. Grouped by tool too, because
   * failures without a signature would otherwise all fall into one row.
   */
  '0005-error-log': run(
    [
      `create view error_log as
      select agent, session_id, min(project_id) as project_id, tool_name as tool, min(outcome_type) as type,
        min(message) as message, signature_id as signature, count(*) as count,
        min(occurred_at) as first, max(occurred_at) as last, min(analyzed) as analyzed
      from tool_outcomes
      where outcome = 'failure'
      group by agent, session_id, signature_id, tool_name`,
    ],
    ['drop view error_log'],
  ),
  /** One failure and its fix around an intent. */
  '0006-episodes': createTable(
    'episodes',
    `id text primary key not null, agent text not null, session_id text not null, failing_call_id text not null,
    fixing_call_id text not null, kind text not null, intent_key text not null, steps integer not null,
    confidence double precision not null, created_at text not null,
    constraint episodes_key unique (agent, session_id, failing_call_id, fixing_call_id)`,
  ),
  /**
   * One lesson: the whole of it as JSON in `document`, and copies of the fields that are searched and sorted by. A lesson
   * is always read and written whole and gains fields with every kind of trigger, so there is no column per field.
   */
  '0007-lessons': createTable(
    'lessons',
    `id text primary key not null, slug text not null unique, type text not null, summary text not null,
    status text not null, mode text not null, priority double precision not null, confidence double precision not null,
    needs_review integer not null, scope_kind text not null, scope_id text, signature_id text,
    content_hash text not null, document text not null, created_at text not null, updated_at text not null`,
    'create index lessons_by_content on lessons (content_hash)',
    'create index lessons_by_signature on lessons (signature_id)',
  ),
  /** One change of one lesson; `before` and `after` are whole lessons as JSON, so that any change can be undone. */
  '0008-lesson-history': createTable(
    'lesson_history',
    `id text primary key not null, lesson_id text not null references lessons (id), changed_by text not null,
    changed_at text not null, reason text not null, before text, after text not null`,
    'create index lesson_history_by_lesson on lesson_history (lesson_id, id)',
  ),
  /** One lesson at one call or task, shown or withheld. */
  '0009-deliveries': createTable(
    'deliveries',
    `id text primary key not null, kind text not null, lesson_id text not null, agent text not null,
    session_id text not null, context_id text not null, call_id text not null, mode text not null, arm text not null,
    score double precision not null, bytes integer not null, latency_us double precision not null,
    delivered_at text not null, acknowledged_at text, outcome text, outcome_at text`,
    'create index deliveries_by_session on deliveries (agent, session_id)',
    'create index deliveries_by_lesson on deliveries (lesson_id, outcome)',
  ),
  /**
   * How far a transcript file was read. `offset` is a reserved word in PostgreSQL, hence `byte_offset`. `inode` is a
   * double, because some file systems number beyond 2^53, and the value must equal what `stat` returns.
   */
  '0010-scan-state': createTable(
    'scan_state',
    `path text primary key not null, agent text not null, byte_offset bigint not null, lines bigint not null,
    size bigint not null, mtime_ms double precision not null, inode double precision not null, last_record_id text,
    parser_version integer not null`,
  ),
  /**
   * The intent of a call, so that a later success settles a failure; and the process of a session, so that a dead session
   * is recognized.
   */
  '0015-intents-and-processes': join(
    addColumns('tool_outcomes', 'intent_key text'),
    addColumns('sessions', 'pid bigint', 'host text'),
    run(
      ['create index tool_outcomes_by_intent on tool_outcomes (project_id, intent_key, occurred_at)'],
      ['drop index tool_outcomes_by_intent'],
    ),
  ),
  /** Ids and times of forgotten data, which must not come back; no text. */
  '0020-forgotten': createTable(
    'forgotten',
    `kind text not null, id text not null, forgotten_at text not null,
    constraint forgotten_key primary key (kind, id)`,
  ),
  /** The memo of a reader, because some formats name the session and its folder only in their first line. */
  '0021-scan-memo': addColumns('scan_state', 'memo text'),
  /** Project ids that a person joined. An `into_id` is never a `from_id` too. */
  '0022-project-aliases': createTable(
    'project_aliases',
    'from_id text primary key not null, into_id text not null, created_at text not null',
  ),
  /**
   * An index of the failures of a signature with all counted columns, so that counting reads only the index. Successes
   * have no signature, so they are not in it and cost nothing.
   */
  '0023-failures-by-signature': run(
    [
      'drop index tool_outcomes_by_signature',
      `create index tool_outcomes_by_signature on tool_outcomes
        (signature_id, outcome, project_id, occurred_at, session_id, agent) where signature_id is not null`,
    ],
    [
      'drop index tool_outcomes_by_signature',
      'create index tool_outcomes_by_signature on tool_outcomes (signature_id, project_id, occurred_at)',
    ],
  ),
  /** Findings of detectors and their verdicts. */
  '0024-findings': createTable(
    'findings',
    `id text primary key not null, detector text not null, kind text not null, agent text not null,
    session_id text not null, project_id text not null, failing_call_id text not null, fixing_call_id text not null,
    signature_id text, verdict text not null, reason text not null, lesson_id text, file text, from_line integer,
    to_line integer, found_at text not null, created_at text not null,
    constraint findings_key unique (agent, session_id, failing_call_id, kind)`,
    'create index findings_by_project on findings (project_id, found_at)',
  ),
  /** Lesson reports of agents: which agents follow the protocol, and which blocks could not be parsed. */
  '0025-self-reports': createTable(
    'self_reports',
    `agent text not null, session_id text not null, report_id text not null, project_id text not null,
    form text not null, malformed text, failing_call_id text, file text, line integer, said_at text not null,
    constraint self_reports_key unique (agent, session_id, report_id)`,
    'create index self_reports_by_time on self_reports (said_at)',
  ),
  /** The command that a change of a lesson belongs to, because undo reverts whole commands. Older changes have none. */
  '0026-lesson-commands': join(
    addColumns('lesson_history', 'command text'),
    run(
      [
        'create index lesson_history_by_command on lesson_history (command)',
        'create index lesson_history_by_person on lesson_history (changed_by, id)',
      ],
      ['drop index lesson_history_by_person', 'drop index lesson_history_by_command'],
    ),
  ),
  /** A hash of the bytes before the offset where reading ended, which reveals a rewritten file. */
  '0027-scan-tail': addColumns('scan_state', 'tail text'),
  /** Lessons that are proposed for, or written into, files that agents read at every session. */
  '0028-promotions': createTable(
    'promotions',
    `id text primary key not null, lesson_id text not null, project_id text not null, root text not null,
    target_file text not null, state text not null, text text not null, written_hash text, text_before text, made text,
    changed_by text not null, changed_at text not null, created_at text not null`,
    'create index promotions_by_lesson on promotions (lesson_id)',
  ),
  /**
   * Whether the mistake was repeated after a delivery, and whether the judging call failed at all; shown and withheld are
   * compared by these. Also failures without a warning, and lessons that the hook skipped at a call that has not failed
   * yet.
   */
  '0029-outcomes': join(
    addColumns('deliveries', 'again integer', 'failed integer'),
    createTable(
      'missed_opportunities',
      `agent text not null, session_id text not null, context_id text not null, call_id text not null,
      lesson_id text not null, project_id text, reason text not null, told_at text not null, missed_at text,
      constraint missed_opportunities_key unique (agent, session_id, call_id, lesson_id)`,
      'create index missed_opportunities_by_lesson on missed_opportunities (lesson_id, missed_at)',
    ),
  ),
  /**
   * Feedback of a person or an agent: one row per author and delivery, or per author and lesson. `delivery_id` is empty
   * for feedback on the lesson itself, because nulls are not unique.
   */
  '0030-feedback': createTable(
    'feedback',
    `id text primary key not null, lesson_id text not null, delivery_id text not null, source text not null,
    said_by text not null, verdict text not null, note text, moved double precision not null,
    is_flagging integer not null, command text not null, said_at text not null`,
    'create unique index feedback_voice on feedback (lesson_id, delivery_id, said_by)',
  ),
  /** A call was running where reading ended, so the file is read again after it stops changing. */
  '0031-scan-open': addColumns('scan_state', 'is_open integer default 0 not null'),
  /**
   * The later calls of a delivery's intent (JSON), how many of them failed before one worked, and the calls and seconds
   * until then. The last two are empty until an attempt works.
   */
  '0032-attempts': addColumns(
    'deliveries',
    'attempts text',
    'failing_attempts integer',
    'success_at text',
    'calls_to_success integer',
    'seconds_to_success double precision',
  ),
  /**
   * When the text of a call was stored, if later than the call's row, and which setting removed it; when a session was
   * stored, because a scan adds sessions of long ago.
   */
  '0033-text-age': join(
    addColumns('tool_outcomes', 'text_at text', 'text_removed text'),
    addColumns('sessions', 'created_at text'),
  ),
  /** The items of a procedure that the session has done. */
  '0034-delivery-items': addColumns('deliveries', 'items text'),
  /**
   * The evidence that project ids are one project. Existing aliases become links by a person. The version before treats
   * all aliases as joined by people and never removes them itself.
   */
  '0035-project-links': join(
    createTable(
      'project_links',
      `from_id text not null, into_id text not null, proof text not null, created_at text not null, refused_at text,
      constraint project_links_pk primary key (from_id, into_id)`,
    ),
    createTable(
      'project_commits',
      `project_id text not null, commit_hash text not null, is_made integer not null, created_at text not null,
      constraint project_commits_pk primary key (project_id, commit_hash)`,
    ),
    addColumns('project_aliases', "proof text default 'person' not null"),
    run(
      [
        `insert into project_links (from_id, into_id, proof, created_at)
        select from_id, into_id, 'person', created_at from project_aliases`,
      ],
      ["delete from project_aliases where proof <> 'person'"],
    ),
  ),
  /**
   * Tokens of the model's answers, stored with the next call that ended; and, for deliveries, the tokens until a later
   * call of its intent worked.
   */
  '0036-tokens': join(
    addColumns('tool_outcomes', 'tokens_input integer', 'tokens_cached integer', 'tokens_output integer'),
    addColumns('deliveries', 'tokens_to_success double precision'),
  ),
  /**
   * The size of every text that we added to a conversation; the version of the protocol that asked a conversation for
   * lesson reports; the conversation of a report; and how many matching lessons had no room at a delivery.
   */
  '0037-added-texts': join(
    createTable(
      'added_texts',
      `agent text not null, session_id text not null, context_id text not null, call_id text not null,
      kind text not null, bytes integer not null, version integer, added_at text not null,
      constraint added_texts_key unique (agent, session_id, context_id, call_id, kind, added_at)`,
    ),
    addColumns('self_reports', 'context_id text'),
    addColumns('deliveries', 'no_room integer'),
  ),
  /**
   * Notes that were judged before attempts were stored: their verdict came from the noted call itself, which a note
   * cannot change. The verdict moves to its own column and the delivery counts as not judged, so that all figures follow
   * the same rule. Reading the session again judges the delivery again.
   */
  '0038-old-verdicts': join(
    addColumns('deliveries', 'old_outcome text'),
    run(
      [
        `update deliveries set old_outcome = outcome, outcome = 'incomplete'
        where kind = 'call' and mode = 'note' and attempts is null and items is null
          and outcome in ('clean', 'ignored', 'failed_anyway')`,
      ],
      ["update deliveries set outcome = old_outcome where old_outcome is not null and outcome = 'incomplete'"],
    ),
  ),
  /** How agents got past failed calls, by the signature of the failure. */
  '0039-cures': createTable(
    'cures',
    `agent text not null, session_id text not null, failing_call_id text not null, fixing_call_id text not null,
    project_id text not null, signature_id text not null, kind text not null, text text not null, edit text,
    cured_at text not null,
    constraint cures_key unique (agent, session_id, failing_call_id)`,
    'create index cures_by_signature on cures (signature_id, project_id)',
  ),
  /** Failed calls by their exact form, until something that they need has changed. */
  '0041-remembered-calls': createTable(
    'remembered_calls',
    `agent text not null, session_id text not null, call_id text not null, project_id text not null,
    exact_key text not null, needs text not null, failed_at text not null, settled_at text,
    constraint remembered_calls_key unique (agent, session_id, call_id)`,
    'create index remembered_calls_by_project on remembered_calls (project_id, failed_at) where settled_at is null',
  ),
  '0042-signatures-again': signaturesAgain,
  '0043-signatures-again': signaturesAgain,
  '0044-signatures-again': signaturesAgain,
  /** Packs of failures that a model was asked about, without their texts. A pack is asked once for each prompt version. */
  '0045-learn-packs': createTable(
    'learn_packs',
    `pack text not null, prompt_version integer not null, project_id text not null, provider text not null, model text,
    episodes text not null, state text not null, reason text, input_tokens integer, output_tokens integer,
    usd double precision, asked_at text not null, answered_at text, outcomes text,
    constraint learn_packs_key primary key (pack, prompt_version)`,
    'create index learn_packs_by_time on learn_packs (asked_at)',
  ),
  /** What the ids of a pack stand for, while a running agent is expected to answer it. */
  '0046-pack-index': addColumns('learn_packs', 'pack_index text'),
};

function createTable(name: string, columns: string, ...indexes: readonly string[]): Migration {
  return run([`create table ${name} (${columns})`, ...indexes], [`drop table ${name}`]);
}

/** A column: `memo text`. */
function addColumns(table: string, ...columns: readonly string[]): Migration {
  const names = columns.map((column) => column.split(' ', 1)[0]);
  return run(
    columns.map((column) => `alter table ${table} add column ${column}`),
    names.map((name) => `alter table ${table} drop column ${name}`).toReversed(),
  );
}

/** Several changes; they go down in the opposite order. */
function join(...parts: readonly Migration[]): Migration {
  return {
    async up(db) {
      for (const part of parts) await part.up(db);
    },
    async down(db) {
      for (const part of parts.toReversed()) await part.down?.(db);
    },
  };
}

function run(up: readonly string[], down: readonly string[]): Migration {
  const runAll = async (db: Kysely<unknown>, statements: readonly string[]): Promise<void> => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const text of statements) await sql.raw(isPostgres ? toPostgres(text) : text).execute(db);
  };
  return { up: (db) => runAll(db, up), down: (db) => runAll(db, down) };
}

/**
 * SQLite compares text byte by byte. PostgreSQL compares it by the locale of the database unless told otherwise, and
 * then orders ids, slugs and times of different length differently.
 */
function toPostgres(statement: string): string {
  return statement.replace(/(?<=\w )text\b/g, 'text collate "C"');
}
