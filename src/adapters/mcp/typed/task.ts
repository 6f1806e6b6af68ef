// /modes:task: sets the task that the work is for, and with it the branch.
import { openSubtasks, readTask, refuseTask, taskNames, writeStatus } from '../../../workflow/tasks.ts';
import { type TypedRequest, unknownMode } from './dialogs.ts';

const usage = '/modes:task start NAME, /modes:task done NAME';

export async function task(request: TypedRequest, args: string): Promise<string> {
  const [verb = '', name = '', ...rest] = args.split(/\s+/).filter((word) => word !== '');
  if (verb === '') return show(request);
  if (verb === 'start' && name !== '' && rest.length === 0) return start(request, name);
  if (verb === 'done' && rest.length === 0) return done(request, name);
  return usage;
}

function show({ project }: TypedRequest): string {
  const { work } = project.state();
  const names = taskNames(project.root);
  const list = names.length === 0 ? 'There are no tasks in .claude/tasks.' : `Tasks: ${names.join(', ')}`;
  return [work.task === null ? 'No task.' : `Task: ${describeTask(work.task)}`, list, usage].join('\n');
}

/** Starting a task restricts, so no question is needed. Replacing another one needs a person's confirmation. */
async function start({ project, asker, ask }: TypedRequest, name: string): Promise<string> {
  const { mode, work } = project.state();
  if (mode === null) return unknownMode;
  const read = readTask(project.root, project.place.home, name);
  if ('wrong' in read) return read.wrong;
  const { topology } = project.describe().configuration;
  const refused = refuseTask(read.task, project.root, topology?.protectedBranches ?? []);
  if (refused !== null) return refused;
  const before = work.task;
  const { file: _, status: __, ...bound } = read.task;
  // The file of the same task may have another branch or other files now.
  if (before !== null && describeTask(before) !== describeTask(bound)) {
    const answer = await ask(
      before.name === name
        ? `Start the task ${name} again, with what its file says now?`
        : `Leave the task ${before.name} for ${name}?`,
      `Yes, to ${name}`,
      'Type it in a session on a terminal.',
      [
        { title: 'Now', lines: [describeTask(before)] },
        { title: 'Then', lines: [describeTask(bound)] },
      ],
    );
    if (!answer.confirmed) return `The task stays ${describeTask(before)}: ${answer.why}`;
    await project.ready(project.caller.session);
    // Other events were answered while the dialog was open.
    const present = project.state().work.task;
    if (present === null || describeTask(present) !== describeTask(before)) return 'The task was changed during the dialog.';
  }
  if (project.transitions.record({ did: 'task', task: bound }, 'person', `The task ${name} started`, asker) === null)
    return 'Another session changed the mode or the task at the same moment. Type the command again.';
  writeStatus(read.task, 'in-progress');
  return `Task: ${describeTask(bound)}`;
}

/** Ends the task's restrictions, so a person is asked. */
async function done({ project, asker, ask }: TypedRequest, name: string): Promise<string> {
  const { work } = project.state();
  const present = work.task;
  if (present === null) return 'There is no task.';
  if (name !== '' && name !== present.name) return `The task is ${present.name}, not ${name}.`;
  const open = openSubtasks(project.root, project.place.home, present.name);
  const left = open.length === 0 ? '' : ` Open subtasks: ${open.join(', ')}.`;
  const answer = await ask(
    `Is the task ${present.name} done? Writes are then not limited to a branch.${left}`,
    `Yes, ${present.name} is done`,
    'Type it in a session on a terminal.',
  );
  if (!answer.confirmed) return `The task ${present.name} continues: ${answer.why}`;
  await project.ready(project.caller.session);
  if (project.state().work.task?.name !== present.name) return 'The task was changed during the dialog.';
  if (project.transitions.record({ did: 'task', task: null }, 'person', `The task ${present.name} is done`, asker) === null)
    return 'Another session changed the mode or the task at the same moment. Type the command again.';
  const read = readTask(project.root, project.place.home, present.name);
  if ('task' in read) writeStatus(read.task, 'completed');
  return `Done: ${present.name}.`;
}

function describeTask({ name, branch, scope }: { name: string; branch: string | null; scope: string[] }): string {
  const files = scope.length === 0 ? '' : `, files ${scope.join(', ')}`;
  return `${name} (${branch === null ? 'no branch' : `writes only on ${branch}`}${files})`;
}
