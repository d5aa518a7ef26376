/** The calls and messages of one context of one session, oldest first: what packs are made from. */
import type { LiveCall } from '../../base/model/call.ts';
import type { SessionMessage } from '../detector.ts';

export interface Conversation {
  readonly calls: readonly LiveCall[];
  readonly spoken: readonly SessionMessage[];
}
