/** `oncebitten projects list`. */
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { toWholePage } from '../page.ts';
import { renderProjects } from '../render-projects.ts';

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const projects = await store.listProjectSummaries();
    return { json: toWholePage(projects), text: renderProjects(projects, input.columns) };
  });
