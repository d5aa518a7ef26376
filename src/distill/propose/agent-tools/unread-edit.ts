/**
 * A file that was changed before it was read, where the tool wants that. The lesson is silent once the file was read or
 * written in the session. It is never active by itself: of files that were not read, some are known from elsewhere.
 */
import type { LiveCall } from '../../../base/model/call.ts';
import { OWN_PATH } from '../../../base/triggers/trigger.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { findEditRefusal } from './find-edit-refusal.ts';
import { findEditedAgain } from './find-edited-again.ts';

const MAX_STEPS = 8;
/** What agents call the text that is to be replaced. */
const OLD_TEXT = /^old_?string$/i;
/** `lessons show` splits cautions at commas, so each is one clause. */
const UNHEARD = 'it would fire only on edits that succeed because the agent rejects unread files before any hook runs';
const NEW_FILE = 'it would also fire on new files because the call does not show whether the file exists';

export const unreadEdit = makePairDetector({
  name: 'distill/unread-edit@1',
  kind: 'wrong-tool-use',
  maxSteps: MAX_STEPS,
  isTrouble: (call) => findEditRefusal(call)?.refusal === 'unread',
  findCure(trouble) {
    const { call } = trouble;
    const again = findEditedAgain(trouble, MAX_STEPS);
    if (again?.readAt === undefined) return undefined;
    return {
      index: again.readAt,
      provenAt: again.index,
      text: {
        summary: `\`${call.rawTool}\` wants the file to be read first, in the same session`,
        mistake: `\`${call.rawTool}\` refused a file that had not been read in the session`,
        remediation: 'Read the file, then make the edit with the text as it stands there',
        tags: ['topic:tool-order'],
      },
      triggers: {
        tools: ['edit'],
        input: { match: ['"old_?[sS]tring"'] },
        session: { unless: [{ read: OWN_PATH }] },
      },
      intentKey: 'unread edit',
      ...(again.isSame ? { signals: ['fix-confirmed'] as const } : {}),
      ...(findEditRefusal(call)?.isUnheard === true ? { caution: UNHEARD } : {}),
      ...(isReplacing(call) ? {} : { episodeOnly: NEW_FILE }),
    };
  },
});

function isReplacing({ tool, parameters = {} }: LiveCall): boolean {
  return tool === 'edit' && Object.keys(parameters).some((name) => OLD_TEXT.test(name));
}
