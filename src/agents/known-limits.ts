/**
 * What an agent does not tell or take, in words for a person who wonders what is missing. By the agent's id. Apart from the
 * agent's other facts, because those are loaded by every hook.
 */
export const KNOWN_LIMITS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': [
    'a note reaches the model together with the result of its call, not before it',
    'an edit that does not match, bad arguments and unknown tools run no hook of their own: Oncebitten learns of them at the end of the batch and from the transcript',
    'a call that the user refused is recorded in the transcript only',
    'stdout and stderr of a command come as one text',
    'native builds search with shell commands: there are no glob and grep calls unless they are switched on',
    'with --bare no hook runs',
  ],
};
