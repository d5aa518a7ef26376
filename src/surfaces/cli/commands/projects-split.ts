/** `oncebitten projects split`: takes back a join. */
import { UserError } from '../../../base/errors.ts';
import { compileLessons } from '../../loop/compile-lessons.ts';
import { writeBriefs } from '../../loop/write-briefs.ts';
import type { Handler } from '../command.ts';
import { getProject, renderProject } from '../get-project.ts';
import { withHome } from '../open-home.ts';

export const run: Handler = (input) =>
  withHome(input, async (open) => {
    const { store } = open;
    const [name = ''] = input.arguments;
    const projects = await store.listProjectSummaries();
    const joined = projects.flatMap((project) => project.joined.map((one) => ({ ...one, into: project })));
    if (joined.length === 0) {
      throw new UserError({
        subject: 'projects split',
        reason: 'has nothing to take back: no project was joined',
        next: 'see all: oncebitten projects list',
      });
    }
    if (projects.some(({ id }) => id === name))
      throw new UserError({
        subject: `project ${name}`,
        reason: 'is not joined into another project',
        next: 'see which projects are joined: oncebitten projects list',
      });
    const { id } = getProject(joined, name, input.cwd);
    const from = joined.find((one) => one.id === id);
    if (from !== undefined && (await store.splitProject(id))) {
      await compileLessons(open);
      await writeBriefs(store, input.home, [id, from.into.id]);
    }
    const into = from === undefined ? '' : ` and no part of ${renderProject(from.into)} any more`;
    return {
      json: { split: id, from: from?.into.id },
      text: `${from === undefined ? id : renderProject(from)} is a project of its own again${into}.`,
    };
  });
