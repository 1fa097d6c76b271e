import { rmSync } from 'node:fs';

import { whyUnreachable } from './download-host.ts';
import { pluginFile } from './own-plugin.ts';
import { runRover } from './run-rover.ts';
import type { RoverRun } from './run-rover.ts';

/** The host that Rover downloads plugins from, if `APOLLO_ROVER_DOWNLOAD_HOST` is not set. */
const defaultDownloadHost = 'https://rover.apollo.dev';

/** The longest wait for the download host's first byte. */
const responseTimeoutMs = 2_000;

const downloadTimeoutMs = 60_000;

/**
 * Has Rover download its own composition plugin into the run's home. Returns the reason of a failure; undefined for a
 * success.
 */
export async function downloadApolloPlugin(
  version: string,
  run: RoverRun,
  onProgress: (line: string) => void,
): Promise<string | undefined> {
  // Checked first: Rover tries to connect for more than ten minutes, and --client-timeout does not shorten that.
  const host = run.environment['APOLLO_ROVER_DOWNLOAD_HOST'] ?? defaultDownloadHost;
  const silence = await whyUnreachable(host, { timeoutMs: responseTimeoutMs, proxies: run.environment });
  if (silence !== undefined) {
    return silence;
  }

  onProgress(`Downloading Apollo's plugin ${version} from ${host}`);
  const signal = AbortSignal.timeout(downloadTimeoutMs);
  const install = await runRover(['install', '--plugin', `supergraph@=${version}`], { ...run, signal });
  if (install.exitCode === 0) {
    return undefined;
  }
  // The next run would take a partial download for a plugin.
  rmSync(pluginFile(run.home, version), { force: true });
  return signal.aborted ? `not downloaded within ${downloadTimeoutMs / 1000} s` : complaintIn(install.stderr);
}

function complaintIn(stderr: string): string {
  return /^error: (.*)$/m.exec(stderr)?.[1] ?? stderr.trim();
}
