/** Shells, their built-in commands, interpreters, and programs that only run another one. */
import { type ProgramRow, row } from './vocabulary.ts';

const TIMEOUT = { valued: 'k s kill-after signal', own: 1 };

export const SHELLS: readonly ProgramRow[] = [
  row('bash sh zsh dash ksh ash fish rbash csh tcsh', 'shell'),
  row('powershell pwsh powershell.exe pwsh.exe', 'power-shell'),
  row('iex invoke-expression', 'console'),

  row('python python3 ruby perl php tsx', 'interpreter unmistakable'),
  row('node', 'interpreter leading'),
  row('nodejs ts-node Rscript lua', 'interpreter'),
  row('java', 'hands-on'),

  // Commands of the shell.
  row('cd pushd', 'moves prepares quiet succeeds'),
  row('popd set-location push-location pop-location chdir', 'moves prepares quiet'),
  row('export set :', 'prepares quiet succeeds'),
  row('true', 'prepares quiet succeeds basic'),
  row('sleep', 'prepares quiet succeeds flat basic'),
  row('echo printf', 'prepares quiet succeeds prints flat basic'),
  row('source . unset umask ulimit exit wait trap', 'prepares quiet'),
  row('print write-host write-output write-error', 'prepares quiet succeeds prints'),
  row('read', 'quiet'),
  row('false', 'quiet basic', { exits: [''] }), // the condition is false
  row('test', 'looks quiet decides flat basic', { exits: [''] }), // the condition is false
  row('[', 'looks quiet decides basic', { exits: [''] }), // the condition is false
  row('[[ (( let expr', 'decides', { exits: [''] }), // the condition is false
  row('type', 'looks quiet locates', { exits: [''] }), // no such program
  row('hash', 'locates', { exits: [''] }), // no such program

  // Programs that only run another one.
  row('sudo', 'unmistakable', {
    wraps: {
      valued:
        'u g h p C T R D r t U user group host prompt chroot chdir role type close-from command-timeout other-user',
      asking: 'l v V e list validate',
      variables: true,
    },
  }),
  row('doas', '', { wraps: { valued: 'u C' } }),
  row('su', '', { wraps: { valued: 's g G w shell group', script: 'c command', own: 99 } }),
  row('env', 'looks acts flat basic', {
    wraps: { valued: 'u unset C chdir a argv0', script: 'S split-string', variables: true },
  }),
  row('xargs', 'filters basic unmistakable', {
    wraps: {
      valued: 'I n P L d a s E J R S max-args max-procs max-lines max-chars delimiter arg-file process-slot-var',
    },
  }),
  row('timeout', 'decorates flat', { wraps: TIMEOUT }),
  row('gtimeout', 'decorates', { wraps: TIMEOUT }),
  row('nice', 'decorates', { wraps: { valued: 'n adjustment' } }),
  row('ionice', 'decorates', { wraps: { valued: 'c n p P u class' } }),
  row('stdbuf', 'decorates', { wraps: { valued: 'i o e input output error' } }),
  row('nohup', 'decorates basic', { wraps: {} }),
  row('setsid unbuffer chronic', 'decorates', { wraps: {} }),
  row('caffeinate', 'decorates', { wraps: { valued: 't w' } }),
  row('time', '', { wraps: { valued: 'f o format output' } }),
  row('command', 'quiet locates', {
    wraps: { asking: 'v V' },
    exits: ['-v -V 1 127'], // no such program
  }),
  row('builtin', '', { wraps: {} }),
  row('exec', '', { wraps: { valued: 'a' } }),
  row('eval', '', { wraps: { joins: true } }),
  row('watch', 'flat', { wraps: { valued: 'n q interval', joins: true } }),
  row('flock', '', { wraps: { valued: 'w E wait timeout conflict-exit-code', script: 'c command', own: 1 } }),
  row('nodemon watchexec entr concurrently systemd-run', 'starts'),
];
