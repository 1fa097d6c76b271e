import { rmSync } from 'node:fs';
import { Agent as HttpAgent, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';

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

interface Reach {
  readonly timeoutMs: number;
  /** The environment whose `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count, as they do for Rover. */
  readonly proxies: NodeJS.ProcessEnv;
}

/**
 * Checks that an `https:` or `http:` host responds at all, with any status. Returns the reason if it does not; else
 * undefined.
 */
async function whyUnreachable(host: string, { timeoutMs, proxies }: Reach): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { method: 'HEAD', signal };
  const request = host.startsWith('http:')
    ? requestByHttp(host, { ...options, agent: new HttpAgent({ proxyEnv: proxies }) })
    : requestByHttps(host, { ...options, agent: new HttpsAgent({ proxyEnv: proxies }) });
  request.once('response', (response) => {
    response.resume();
    resolve(undefined);
  });
  request.once('error', (error) => {
    resolve(signal.aborted ? `no response from ${host} within ${timeoutMs / 1000} s` : error.message);
  });
  request.end();
  return await promise;
}
