import { existsSync, readFileSync } from 'node:fs';

import { ManifestError } from '@meridian/manifest';
import type { CheckOptions, ConfigCheck, ConfigFile, RouterConfig } from '@meridian/router-config';
import { checkConfig } from '@meridian/router-config';

import { isRemote, manifestFiles } from '../config/remote-files.ts';
import { readGatewayEnvironment } from '../config/gateway-environment.ts';
import { graphFaults, graphOverlay, graphRules } from '../config/graph-rules.ts';
import { readFiles } from '../manifest/read-files.ts';
import { startChecks } from '../config/start-checks.ts';

/** A file of Apollo Router's keys, as `pnpm router-config check --json` prints it: members are only ever added. */
export interface FileCheck extends Omit<ConfigCheck, 'config' | 'missing' | 'sampled'> {
  readonly file: string;
  readonly mode: CheckOptions['mode'];
  /** True when the gateway starts with the file, once `needs` are met. */
  readonly starts: boolean;
  /** Variables without a value, such as `env.PORT`, and manifests that are not there. */
  readonly needs: readonly string[];
}

type Findings = Partial<Pick<FileCheck, 'faults' | 'needs' | 'notes'>>;

/**
 * Checks a file key by key, and with the checks of the gateway's own start.
 *
 * @throws {EnvironmentError} when a variable of the gateway has an invalid value
 */
export function checkFile(file: ConfigFile, options: CheckOptions): FileCheck {
  const environment = readGatewayEnvironment({ ...options.env, NODE_ENV: options.mode });
  const {
    config,
    sampled: _sampled,
    missing,
    faults,
    notes,
    ...check
  } = checkConfig(file, {
    ...options,
    check: (read) => startChecks(read, environment),
  });
  const manifests = config === undefined || config.meridian.graphs.size > 0 ? {} : checkManifests(config);
  const graphs = config === undefined ? [] : checkGraphs(file, config, options);
  const allFaults = [
    ...faults,
    ...(manifests.faults ?? []),
    ...graphs.flatMap((graph) => graph.faults ?? []),
  ];
  return {
    file: file.name,
    mode: options.mode,
    starts:
      allFaults.length === 0 &&
      check.keys.every(({ verdict }) => verdict !== 'not supported' && verdict !== 'unknown'),
    needs: [
      ...new Set([...missing, ...(manifests.needs ?? []), ...graphs.flatMap(({ needs = [] }) => needs)]),
    ],
    ...check,
    faults: allFaults,
    notes: [...notes, ...(manifests.notes ?? []), ...graphs.flatMap((graph) => graph.notes ?? [])],
  };
}

/** Checks each graph: its own file over the common one, and its manifests. */
function checkGraphs(file: ConfigFile, common: RouterConfig, options: CheckOptions): readonly Findings[] {
  const { env, mode } = options;
  return graphRules(common).map((rule): Findings => {
    const own = rule.config === undefined ? [] : [rule.config];
    const absent = own.filter((path) => !existsSync(path));
    if (absent.length > 0) {
      return { needs: absent };
    }
    const environment = readGatewayEnvironment({ ...env, NODE_ENV: mode });
    const { config, keys, faults, notes, missing } = checkConfig(file, {
      ...options,
      overlays: [
        ...own.map((path) => ({ name: path, text: readFileSync(path, 'utf8') })),
        graphOverlay(rule),
      ],
      check: (read) => startChecks(read, environment, true),
    });
    const manifests = config === undefined ? {} : checkManifests(config);
    const named = (sentence: string): string => `meridian.graphs.${rule.name}: ${sentence}`;
    return {
      faults: [
        ...[
          ...faults,
          ...keys.flatMap(({ path, verdict, remark }) =>
            verdict === 'not supported' || verdict === 'unknown' ? [`${path}: ${verdict}. ${remark}`] : [],
          ),
          ...(manifests.faults ?? []),
        ].map(named),
        ...(config === undefined ? [] : graphFaults(rule, config, common)),
      ],
      notes: [...notes, ...(manifests.notes ?? [])].map(named),
      needs: [...missing, ...(manifests.needs ?? [])],
    };
  });
}

/**
 * Reads the manifests as the start does, from the same working directory. If none is here, they may exist where the
 * gateway runs.
 */
function checkManifests(config: RouterConfig): Findings {
  const paths = (manifestFiles(config)?.paths ?? []).filter(
    (path) => !path.includes('${') && !isRemote(path),
  );
  try {
    const { badFiles } = readFiles(paths);
    return { notes: badFiles.map(({ file, reason }) => `${file} is left out: ${reason}`) };
  } catch (error) {
    if (!(error instanceof ManifestError)) {
      throw error;
    }
    const absent = paths.filter((path) => !existsSync(path));
    return absent.length > 0 ? { needs: absent } : { faults: [error.message] };
  }
}
