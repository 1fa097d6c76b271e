import { spawnSync } from 'node:child_process';
import process from 'node:process';

const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.images.config.js', '--runInBand'];

/**
 * Runs the suites of tools/test/images in a network of their own, where the services of the Compose file have their own
 * ports, as in the Compose file, whatever else runs on this machine.
 */
export function testImages(): void {
  const { status } = spawnSync(
    'unshare',
    ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, ...jest],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
