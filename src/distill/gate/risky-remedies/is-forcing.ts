/** Options that silence or force: what works with them is never a lesson. */
const FORCING =
  /^-(?:f|D|y|k)$|force|hard|skip|no-verify|allow|unsafe|insecure|danger|ignore|legacy|yes|no-gpg|break-system|quiet|silent|no-strict|data-loss|discard|overwrite|bypass|no-frozen|privileged|purge|yolo|^--abort$/i;

export function isForcing(option: string): boolean {
  return FORCING.test(option);
}
