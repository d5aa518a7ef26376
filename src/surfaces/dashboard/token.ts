/**
 * The token of this tab. `oncebitten open` puts it behind the `#`, which browsers do not send; it leaves the address at
 * once. A tab that was opened from another one asks the other tabs for it. A BroadcastChannel reaches pages of the same
 * origin only: same host, same port, same browser profile. The token is kept until the tab is closed.
 */

const KEY = 'oncebitten-token';
const CHANNEL = 'oncebitten-token';
const ASK = 'ask';
const TOKEN = /^[0-9a-f]{64}$/;
/** Another tab answers within a few milliseconds. A later answer counts, too. */
const ANSWER_MS = 300;

let isAccepted = false;

export function readToken(): string {
  return sessionStorage.getItem(KEY) ?? '';
}

/** The daemon has answered to it. Other tabs get no token that was never accepted. */
export function confirmToken(): void {
  isAccepted = true;
}

export function isTokenAccepted(): boolean {
  return isAccepted;
}

/** Gives other tabs the token, and asks them for it where this tab has none. Calls `hear` if one comes too late. */
export async function getToken(hear: () => void): Promise<void> {
  takeFromAddress();
  const channel = new BroadcastChannel(CHANNEL);
  const answer = Promise.withResolvers<void>();
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === ASK) {
      if (isAccepted) channel.postMessage(readToken());
    } else if (readToken() === '' && typeof data === 'string' && TOKEN.test(data)) {
      sessionStorage.setItem(KEY, data);
      answer.resolve();
      hear();
    }
  });
  if (readToken() !== '') return;
  channel.postMessage(ASK);
  await Promise.race([answer.promise, new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
}

function takeFromAddress(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  sessionStorage.setItem(KEY, token);
  history.replaceState(null, '', location.pathname + location.search);
}
