/**
 * Words that make advice harmful, whichever program takes them: what works with them is never a lesson or a known fix.
 * They force, silence, switch a check off, raise rights, destroy, publish, or leave out an option that guards the call.
 */

/** `-F` stands for a form, a field or a file. */
const SHORT = /^-(?:f|[dD]|[yY]|[kK]|[rR]f|f[rR])$/;
const FORCING =
  /force|hard|skip|no-verify|allow|unsafe|insecure|danger|ignore|legacy|yes|no-gpg|break-system|quiet|silent|no-strict|data-loss|discard|overwrite|bypass|no-frozen|privileged|purge|yolo|^--abort$|^--?admin$|auto-?approve|no-?deps|no-check|no-lock|no-sandbox|disable|without-(?:test|check)|^-Wno-/i;
/** `--validate=false`, `-lock=false`. */
const SWITCHED_OFF =
  /^--?[\w-]*(?:valid|verif|check|lock|strict|ssl|tls|cert|secur|sandbox|sign|trust|audit|lint|test|hook)[\w-]*=(?:false|off|no|none|0|never)$/i;

export function isForcing(option: string): boolean {
  return SHORT.test(option) || FORCING.test(option) || SWITCHED_OFF.test(option);
}

const RAISING = /^(?:.*\/)?(?:sudo|doas|pkexec|run0|su|runas|gsudo)$/;
const DESTROYING =
  /^(?:.*\/)?(?:rm|rmdir|unlink|shred|truncate|kill|killall|pkill|del|erase|dropdb|drop|delete|destroy|remove|uninstall|purge|prune|reset|downgrade|disable|revoke|publish|push|force-unlock|unlock|wipe|discard|clean)$/i;
/** A variable that switches a check off. */
const UNGUARDING =
  /^(?:\w*(?:SKIP|DISABLE|IGNORE|INSECURE|UNSAFE|BYPASS|NO_VERIFY)\w*|HUSKY|LEFTHOOK|GOSUMDB|DOCKER_CONTENT_TRUST|\w*TLS_REJECT_UNAUTHORIZED)=/;
/** Longer options are sentences. */
const MAX_OPTION_CHARS = 40;

/** `word`: a word that the advice brings. */
export function isHarmfulWord(word: string): boolean {
  if (word.startsWith('-')) return isForcing(word) || (word.split('=')[0] ?? '').length > MAX_OPTION_CHARS;
  return isDestroying(word) || isOvercoming(word);
}

export function isDestroying(word: string): boolean {
  return DESTROYING.test(word);
}

/** Raises rights or switches a check off: where it stands in the line, it may be all that helped. */
export function isOvercoming(word: string): boolean {
  return RAISING.test(word) || UNGUARDING.test(word);
}

const GUARDING =
  /^--?(?:dry-?run|verif\w*|check\w*|frozen[\w-]*|locked|immutable|strict[\w-]*|safe[\w-]*|interactive|confirm\w*|preserve[\w-]*|sandbox[\w-]*|validate\w*|lock|signed|gpg-sign)(?:=|$)/i;

/** Does the option keep the call from doing harm? Advice never leaves it out. */
export function isGuarding(option: string): boolean {
  return GUARDING.test(option);
}
