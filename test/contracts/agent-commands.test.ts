/** Every agent's commands: the whole text, our notice, and no way for an agent to call what only the user may call. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/agents/commands.ts';
import { listOptions } from '../../src/surfaces/cli/command.ts';
import { COMMANDS as CLI_COMMANDS } from '../../src/surfaces/cli/commands.ts';
import { PLUGIN_COMMANDS, SESSION_COMMANDS } from '../../src/surfaces/install/session-commands.ts';

const PLACES = [
  { place: 'settings', texts: SESSION_COMMANDS },
  { place: 'plugin', texts: PLUGIN_COMMANDS },
] as const;

for (const agent of COMMANDS) {
  describe(`our commands in ${agent.facts.name}`, () => {
    for (const { place, texts } of PLACES) {
      it(`have the whole text and our notice, each in files of its own (${place})`, () => {
        const rendered = texts.map((command) => ({ command, files: agent.render(command, place) }));
        for (const { command, files } of rendered) {
          assert.ok(
            Object.values(files).some((text) => text.includes(command.text)),
            command.name,
          );
          assert.ok(
            Object.values(files).every((text) => text.includes(command.notice)),
            command.name,
          );
        }
        const paths = rendered.flatMap(({ files }) => Object.keys(files));
        assert.equal(new Set(paths).size, paths.length);
        const typed = texts.map(({ name }) => agent.toTyped(name, place));
        assert.equal(new Set(typed).size, typed.length);
      });

      it(`have a front matter that is YAML, and a skill is named like its folder (${place})`, () => {
        for (const command of texts)
          for (const [path, text] of Object.entries(agent.render(command, place)).filter(([one]) =>
            /\.md$/.test(one),
          )) {
            const fields = parse(text.split(/^---$/m)[1] ?? '') as Record<string, unknown>;
            assert.ok(String(fields.description).startsWith(command.description), path);
            const [, folder] = /^skills\/([^/]+)\/SKILL\.md$/.exec(path) ?? [];
            if (folder !== undefined) assert.equal(fields.name, folder);
          }
      });

      it(`are called by the user, unless they are made for the agent (${place})`, () => {
        for (const command of texts) {
          const files = agent.render(command, place);
          const isSkill = Object.keys(files).some((path) => path.startsWith('skills/'));
          const isKept = /disable-model-invocation: true|allow_implicit_invocation: false/;
          const mayAgent = isSkill && !Object.values(files).some((text) => isKept.test(text));
          assert.equal(mayAgent, command.isForAgent, command.name);
        }
      });
    }
  });
}

describe('the texts of our commands', () => {
  for (const { name, text, description, runs } of SESSION_COMMANDS) {
    const lines = [...text.matchAll(/`oncebitten ([^`]+)`/g)].map(([, line = '']) => line);

    it(`name commands and options that exist (${name})`, () => {
      assert.ok(lines.length > 0);
      for (const line of lines) {
        const command = CLI_COMMANDS.filter((one) => `${line} `.startsWith(`${one.name} `)).toSorted(
          (a, b) => b.name.length - a.name.length,
        )[0];
        const options = listOptions(command?.options ?? {}).map(({ flags }) => flags.split(' ')[0]);
        const unknown = (line.match(/(?<= )--[a-z-]+/g) ?? []).filter((option) => !options.includes(option));
        assert.ok(command !== undefined && unknown.length === 0, `${line}: ${unknown.join()}`);
      }
    });

    it(`let an agent run without a question only lines that are in them and change no lesson (${name})`, () => {
      for (const run of runs) {
        assert.ok(
          lines.some((line) => `${line} `.startsWith(`${run} `)),
          run,
        );
        assert.doesNotMatch(run, /approve|reject|edit|archive|mute|apply|propose|rollback|delete|undo|merge/);
      }
    });

    it(`contain nothing that an agent replaces or runs when it reads a command (${name})`, () => {
      assert.doesNotMatch(text, /\$|@|\{\{|!\{|!`|'''|\r/);
      assert.doesNotMatch(description, /[:'"#\n]/);
    });
  }
});
