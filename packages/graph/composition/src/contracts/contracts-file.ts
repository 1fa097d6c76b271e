import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';
import { parse } from 'yaml';

/** Which elements of the graph a contract shows, by their tags. */
export interface ContractFilter {
  readonly include: ReadonlySet<string>;
  readonly exclude: ReadonlySet<string>;
  /** True when types that no operation can meet are hidden too. */
  readonly hidesUnreachable: boolean;
}

/** The default place of the file. */
export const contractsFile = 'contracts.yaml';

/**
 * Reads a contracts.yaml: `contracts: { <name>: { include: [tag], exclude: [tag], hide_unreachable_types: true } }`.
 *
 * @throws {CommandError} that names the file and the entry at fault
 */
export function readContracts(file: string, text: string): ReadonlyMap<string, ContractFilter> {
  const fault = (message: string, cause?: unknown): CommandError =>
    new CommandError(`Cannot read ${file}: ${message}`, { cause });
  let config: unknown;
  try {
    config = parse(text);
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error), error);
  }
  const contracts = isRecord(config) ? config['contracts'] : undefined;
  if (!isRecord(contracts)) {
    throw fault('it has no contracts');
  }
  return new Map(
    Object.entries(contracts).map(([name, entry]) => {
      if (!/^[\w-]{1,64}$/.test(name)) {
        throw fault(
          `${JSON.stringify(name)} is not a name of a contract: that takes letters, digits, _ and -`,
        );
      }
      return [name, readFilter(entry ?? {}, (message) => fault(`contract ${name} ${message}`))];
    }),
  );
}

function readFilter(entry: unknown, fault: (message: string) => CommandError): ContractFilter {
  if (!isRecord(entry)) {
    throw fault('has no include and exclude');
  }
  const { include, exclude, hide_unreachable_types: hides = true, ...others } = entry;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw fault(
      `has ${JSON.stringify(unknown)}, which is not one of include, exclude and hide_unreachable_types`,
    );
  }
  if (typeof hides !== 'boolean') {
    throw fault(`has hide_unreachable_types: ${JSON.stringify(hides)}, which takes true or false`);
  }
  const filter = {
    include: readTags('include', include, fault),
    exclude: readTags('exclude', exclude, fault),
    hidesUnreachable: hides,
  };
  const both = [...filter.include].filter((tag) => filter.exclude.has(tag));
  if (both.length > 0) {
    throw fault(`includes and excludes ${both.join(', ')}`);
  }
  if (filter.include.size + filter.exclude.size === 0) {
    throw fault('includes and excludes no tag: it would be the whole graph');
  }
  return filter;
}

/** Apollo, "Contract reference": valid names of tags. */
const tagName = /^[a-zA-Z0-9/-]{1,128}$/;

function readTags(
  list: string,
  value: unknown,
  fault: (message: string) => CommandError,
): ReadonlySet<string> {
  if (value === undefined) {
    return new Set();
  }
  if (!Array.isArray(value)) {
    throw fault(`has ${list}: ${JSON.stringify(value)}, which takes a list of tags`);
  }
  return new Set(
    value.map((tag: unknown) => {
      if (typeof tag !== 'string' || !tagName.test(tag)) {
        throw fault(
          `has the tag ${JSON.stringify(tag)}: a tag has letters, digits, - and /, at most 128 of them`,
        );
      }
      return tag;
    }),
  );
}
