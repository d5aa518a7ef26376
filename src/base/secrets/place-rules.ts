/** Rules for places in protocols and commands that contain only credentials. */
import { anyCase, makeRule, NO_SECRET, type SecretRule, WORD_START as START, WORD_VALUE } from './secret-rule.ts';

/** Up to a value later in the same simple command. */
const LATER = '[^\\n|;&]{0,200}?\\s';
const LATER_OR_NOW = `(?:${LATER})?`;

function argument(hint: string, before: string, kind = 'password'): SecretRule {
  return makeRule(kind, [hint], `(${START}${before})${WORD_VALUE}`);
}

const SCHEME = '(?:basic|bearer|token|digest|negotiate|apikey|key)';

function listHeaders(): readonly SecretRule[] {
  return [
    {
      kind: 'authorization',
      hints: ['digest'],
      pattern:
        /(authorization\\{0,31}["']?\s{0,4}[:=]\s{0,4}\\{0,31}["']?digest\s{1,4})(?!\[redacted:)[^\r\n'\\]{8,}/gi,
    },
    makeRule(
      'authorization',
      ['authorization'],
      `(authorization\\\\{0,31}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,31}["']?(?:${SCHEME}\\s{1,4})?)(?!${NO_SECRET})(?!${SCHEME}\\b)[^\\s"'\`,;\\\\]+`,
      'gi',
    ),
    makeRule(
      'bearer-token',
      ['bearer'],
      `(${START}bearer\\s{1,4})(?!${NO_SECRET})(?:(?=[A-Za-z._~+/=-]{0,80}\\d)[\\w.~+/=-]{8,}|[\\w.~+/=-]{20,})`,
      'gi',
    ),
    makeRule('basic-auth', ['basic'], `(${START}basic\\s{1,4})(?=[A-Za-z+/]{0,80}[\\d=])[A-Za-z0-9+/]{8,}={0,2}`, 'gi'),
    // A cookie is a pair; without a name and `=` the text is a message about cookies.
    makeRule(
      'cookie',
      ['cookie:'],
      `(${START}(?:set-)?cookie:\\s{0,4})(?!\\[redacted:)(?=[^\\s"'=;]{1,200}=)[^\\r\\n"'\\s\\\\][^\\r\\n"'\\\\]*`,
      'gi',
    ),
  ];
}

function listUrls(): readonly SecretRule[] {
  return [
    makeRule(
      'url-credentials',
      ['://'],
      `(:\\/\\/)(?!${NO_SECRET})(?:[^\\s/@:"'\`<>]{0,200}:(?!${NO_SECRET})[^\\s/"'\`<>]{1,500}|[^\\s/@:"'\`<>]{20,500})(?=@)`,
    ),
    // With a slash in the password. A port is not a password, and `@scope` may follow it.
    makeRule(
      'url-credentials',
      ['://'],
      `(:\\/\\/)(?!\\[|${NO_SECRET})[^\\s/@:"'\`<>]{0,200}:(?!\\d{1,5}[/?#]|\\/|${NO_SECRET})[^\\s@"'\`<>]{1,300}(?:@[^\\s/@"'\`<>]{1,100}){0,3}(?=@)`,
    ),
    // The form of Go's drivers.
    makeRule(
      'url-credentials',
      ['@tcp', '@unix('],
      `((?<![\\w.-])(?!redacted:)[\\w.-]{1,60}:)(?!${NO_SECRET})[^\\s"'\`\\\\]{1,200}(?=@(?:tcp6?|unix)\\()`,
    ),
    // Links that grant access to their target.
    {
      kind: 'url-signature',
      hints: ['sig'],
      pattern: /(\b(?:sig|signature)=)(?=[^\s&]{0,80}\d)[A-Za-z0-9%+/_=-]{20,}/gi,
    },
  ];
}

/** Also after a user: `bob%[redacted:password]`. */
const REDACTED = '[^\\s"\':]{0,100}\\[redacted:';

/** `user:password`, each quoted or not, or both in one pair of quotes. */
const USER_PASSWORD = [
  `(?:(\\\\{1,31}")(?!${NO_SECRET}|${REDACTED})[^\\s"':\\\\/]{1,100}:(?!${NO_SECRET})[^"\\\\\\n]+`,
  `("|')(?!${NO_SECRET}|${REDACTED})[^\\s"':\\\\/]{1,100}:(?!${NO_SECRET})[^"'\\n]+`,
  `(\\\\{0,31}["']?)(?!${REDACTED})[^\\s"':\\\\/]{1,100}["']?:(?!["']?(?:${NO_SECRET}))(?:"[^"\\n]+"|'[^'\\n]+'|[^\\s"'\\\\]+))`,
].join('|');

function listCommands(): readonly SecretRule[] {
  return [
    // Not numeric ids (docker), a time format (date -u), host:/path (rsync -u), or a user with their own group.
    makeRule(
      'user-password',
      ['-u'],
      `((?<![\\w-])(?:-[uU]|--user|--proxy-user)[ \\t=]{0,4})(?![ \\t=]|\\\\{0,31}["']?(?:[-+%]|\\d+:\\d+|\\$\\w+:\\d{1,6}(?!\\w)|([\\w-]+):\\2(?![\\w-])|[\\w.@-]+:[/~.]))${USER_PASSWORD}`,
    ),
    // Short options in one word.
    makeRule('user-password', ['curl'], `(${START}curl\\b${LATER}-[A-Za-z#]{1,8}[uU][ \\t]{0,4})${USER_PASSWORD}`),
    // HTTPie
    makeRule('user-password', ['http'], `(${START}https?\\s${LATER_OR_NOW}(?:-a|--auth)[ =]{1,4})${USER_PASSWORD}`),
    // Samba: `user%password`, also with a domain before it.
    makeRule(
      'password',
      ['smb', 'rpcclient'],
      `(${START}(?:smb[a-z]{2,10}|rpcclient)\\b${LATER}(?:-U|--user(?:name)?)[ \\t=]{0,4}\\\\{0,31}["']?[^\\s"'%]{1,100}%)(?!${NO_SECRET})[^\\s"'\\\\]+`,
    ),
    // Without an equals sign it is the name of a file.
    argument(
      'curl',
      `curl\\b${LATER}(?:-[A-Za-z#]{0,8}b|--cookie)[ =]{0,4}(?=\\\\{0,31}["']?[^\\s"'=]{1,100}=)`,
      'cookie',
    ),
    argument('_auth', '(?<=[:/])_auth(?:Token)?[ =]{1,4}(?=\\S{8})'),
  ];
}

/** Programs whose argument order shows the secret. */
function listTools(): readonly SecretRule[] {
  const options = '(?:-\\w{1,8}\\s{1,4}){0,3}';
  const setting = `[\\w.:/@-]{0,80}?${anyCase('(?:secret_access_key|session_token|password|[a-z]{0,12}pass|token|secret)')}`;
  return [
    argument(
      'config',
      `config(?:ure)?\\s{1,4}(?:set|--[a-z-]{2,20})(?:\\s{1,4}[\\w.=:/@-]{1,60}){0,3}?\\s{1,4}${setting}\\s{1,4}`,
    ),
    // Not an address: `bundle config mirror.x https://…`.
    argument(
      'bundle',
      `bundle\\s{1,4}config\\s{1,4}(?:set\\s{1,4})?(?:--[a-z]{1,20}\\s{1,4}){0,2}[\\w.:/-]{1,100}\\s{1,4}[\\w.@-]{1,60}:(?!\\/\\/)`,
    ),
    argument('htpasswd', `htpasswd\\s{1,4}${options}-(?=\\w{0,8}n)(?=\\w{0,8}b)\\w{1,8}\\s{1,4}\\S{1,100}\\s{1,4}`),
    argument(
      'htpasswd',
      `htpasswd\\s{1,4}${options}-(?!\\w{0,8}n)\\w{0,8}b\\w{0,8}\\s{1,4}${options}[^\\s-]\\S{0,200}\\s{1,4}\\S{1,100}\\s{1,4}`,
    ),
    argument(
      'vault',
      `vault\\s{1,4}kv\\s{1,4}(?:put|patch)\\s(?:[^\\n|;&]{0,300}?\\s)?[\\w.][\\w.-]{0,60}=(?!@|-(?:\\s|$))`,
    ),
    argument(
      'vault',
      `vault\\s{1,4}login\\s{1,4}(?:-[\\w=-]{1,60}\\s{1,4}){0,4}(?:token=)?(?!\\w{1,40}=)(?=\\S{16}|(?:hv)?[sbr]\\.\\S{6})`,
    ),
  ];
}

export function listSecretPlaces(): readonly SecretRule[] {
  return [...listHeaders(), ...listUrls(), ...listCommands(), ...listTools()];
}
