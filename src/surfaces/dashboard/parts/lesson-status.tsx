/** Whether a lesson is shown to agents, in one word. */

interface Judged {
  readonly status: string;
  readonly muted?: string | undefined;
  readonly needsReview: boolean;
}

export function LessonStatus({ lesson: { status, muted, needsReview } }: { readonly lesson: Judged }) {
  const word = muted !== undefined ? 'muted' : needsReview && status === 'active' ? 'in doubt' : status;
  return (
    <span className="badge" data-kind={word}>
      {word}
    </span>
  );
}
