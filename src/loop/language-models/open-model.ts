/** The language model that the user's settings name, with the agents of this machine. */

import { homedir } from 'node:os';
import { toAgentHome } from '../../agents/agents.ts';
import { HEADLESS } from '../../agents/headless.ts';
import type { LanguageModel } from '../../base/contracts/language-model.ts';
import type { ModelSettings } from '../../base/model/settings.ts';
import type { Environment } from '../../distill/models/open-agent-model.ts';
import { openLanguageModel } from '../../distill/models/open-language-model.ts';

export function openModel(settings: ModelSettings, env: Environment = process.env): LanguageModel {
  const home = env.HOME || homedir();
  const agents = HEADLESS.map((headless) => ({ headless, home: toAgentHome(headless.facts, { env, home }) }));
  return openLanguageModel(settings, { agents, env, home });
}
