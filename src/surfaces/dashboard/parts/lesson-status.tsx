/** Whether a lesson is shown to agents, in one word. */

interface Judged {
  readonly status: string;
  readonly muted?: string | undefined;
  readonly needsReview: boolean;
  readonly archival?: { readonly cause: string } | undefined;
}

export function LessonStatus({ lesson }: { readonly lesson: Judged }) {
  const word = toWord(lesson);
  return (
    <span className="badge" data-kind={word}>
      {word}
    </span>
  );
}

function toWord({ status, muted, needsReview, archival }: Judged): string {
  if (status === 'archived') return archival?.cause === 'rejected' ? 'rejected' : status;
  if (muted !== undefined) return 'muted';
  return needsReview && status === 'active' ? 'in doubt' : status;
}
