import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';

import { downloadApolloPlugin } from './apollo-plugin.ts';
import type { RoverBinary } from './binary.ts';
import { installedPackage } from './binary.ts';
import { installOwnPlugin, pluginFile } from './own-plugin.ts';

export interface PluginRequest {
  /** Federation's version, for example `2.14.4`. */
  readonly version: string;
  readonly binary: RoverBinary;
  /**
   * The folder of the plugins. Apollo's and this repository's have a Rover home each, so the home determines which one
   * runs.
   */
  readonly directory: string;
  /** True when Rover may download a missing plugin. */
  readonly mayDownload: boolean;
  readonly environment: NodeJS.ProcessEnv;
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
