import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Agent as HttpAgent, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { fileURLToPath } from 'node:url';

import { CommandError } from '@meridian/settings/command-line';

import { installedPackage } from './binary.ts';
import type { RoverRun } from './run-rover.ts';
import { runRover } from './run-rover.ts';

export interface PluginRequest extends Pick<RoverRun, 'binary' | 'environment'> {
  /** Federation's version, for example `2.14.4`. */
  readonly version: string;
  /**
   * The folder of the plugins. Apollo's and this repository's have a Rover home each, so the home determines which one
   * runs.
   */
  readonly directory: string;
  /** True when Rover may download a missing plugin. */
  readonly mayDownload: boolean;
  /** Called with a line before a slow step. */
  readonly onProgress: (line: string) => void;
}

export interface Plugin {
  /** The home that Rover finds the plugin in. */
  readonly home: string;
  /** The program that composes, and the reason for the choice, for the user. */
  readonly description: string;
}

/**
 * Provides the composition plugin for Rover: Apollo's, which Rover downloads, or this repository's if that fails.
 *
 * @throws {CommandError} when neither can compose at the version
 */
export async function providePlugin(request: PluginRequest): Promise<Plugin> {
  const { version, directory } = request;
  const apolloHome = join(directory, 'apollo');
  const whyNotApollo = await whyNoApolloPlugin(request, apolloHome);
  if (whyNotApollo === undefined) {
    return { home: apolloHome, description: `Apollo's plugin ${version}` };
  }

  const own = installedPackage('@apollo/composition').version;
  if (version !== own) {
    throw new CommandError(
      `Cannot compose at Federation ${version}: Apollo's plugin is not available (${whyNotApollo}), and this repository's composes at ${own}`,
    );
  }
  const home = join(directory, 'meridian');
  installOwnPlugin(home, version);
  return {
    home,
    description: `this repository's plugin, @apollo/composition ${own} (not Apollo's: ${whyNotApollo})`,
  };
}

async function whyNoApolloPlugin(request: PluginRequest, home: string): Promise<string | undefined> {
  const { version, binary, environment, mayDownload, onProgress } = request;
  if (existsSync(pluginFile(home, version))) {
    return undefined;
  }
  if (!mayDownload) {
    return 'offline';
  }
  return await downloadApolloPlugin(version, { binary, home, environment }, onProgress);
}

/** The host that Rover downloads plugins from, if `APOLLO_ROVER_DOWNLOAD_HOST` is not set. */
const defaultDownloadHost = 'https://rover.apollo.dev';

/** The longest wait for the download host's first byte. */
const responseTimeoutMs = 2_000;

const downloadTimeoutMs = 60_000;

/**
 * Has Rover download its own composition plugin into the run's home. Returns the reason of a failure; undefined for a
 * success.
 */
async function downloadApolloPlugin(
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

/** The program that Rover runs for a composition. */
const program = fileURLToPath(new URL('../plugin/main.ts', import.meta.url));

/**
 * Installs this repository's plugin where Rover looks for one: a script that runs it with the current Node. The Node on
 * the PATH can be too old to run TypeScript.
 */
function installOwnPlugin(home: string, version: string): void {
  const file = pluginFile(home, version);
  const script = `#!/bin/sh\nexec ${shellQuoted(process.execPath)} ${shellQuoted(program)} "$@"\n`;
  mkdirSync(dirname(file), { recursive: true });
  // Renamed into place, so that a concurrent Rover never starts half a script.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, script, { mode: 0o755 });
  renameSync(unfinished, file);
}

/** The file below its home that Rover starts to compose at a version of Federation. */
function pluginFile(home: string, version: string): string {
  return join(home, '.rover', 'bin', `supergraph-v${version}`);
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
