import { join } from 'node:path';

/** The file below its home that Rover starts to compose at a version of Federation. */
export function pluginFile(home: string, version: string): string {
  return join(home, '.rover', 'bin', `supergraph-v${version}`);
}
