/** What the store knows of a lesson that stands in a file of its repository, `.oncebitten/lessons/<slug>.json`. */
export interface LessonFile {
  /** Its name in the repository. In the store another lesson may have that name. */
  readonly slug: string;
  /** Of everything the file says, as it was last read or written. */
  readonly hash: string;
  /** The lesson's content hash then: where the lesson has another one, a person changed it here. */
  readonly contentHash: string;
  /** What a person confirmed before the file changed: when it says that again, it is confirmed. */
  readonly confirmed?: readonly ConfirmedFile[];
  /** The file was there and is gone. */
  readonly isGone?: true;
}

export interface ConfirmedFile {
  readonly hash: string;
  readonly by: string;
}
