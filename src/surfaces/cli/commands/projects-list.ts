/** `oncebitten projects list`. */
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { renderProjects } from '../render-projects.ts';

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const projects = await store.listProjectSummaries();
    return { json: projects, text: renderProjects(projects) };
  });
