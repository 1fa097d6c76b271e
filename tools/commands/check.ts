// `pnpm check`: what a changed graph does to the clients that use it.
import { UsageError, readArgs, runCommand } from '@meridian/settings/command-line';
import { systemError } from '@meridian/composition/commands/system-error';
import { readGatewayLimits } from '@meridian/gateway/commands/gateway-limits';
import { createReadFigures } from '@meridian/gateway/figures/operation-figures';
import { ManifestError } from '@meridian/manifest';
import { approve } from '@meridian/schema-check/commands/approve';
import { checkAndReport, formats } from '@meridian/schema-check/commands/check-repository';
import type { CheckOptions, Format } from '@meridian/schema-check/commands/check-repository';

const help = `Usage: pnpm check [flags]

Compares the graph of the working tree with the graph of a git ref: every change, its owner, and the operations of
clients that it breaks. docs/schema-checks.md has the rules.

  --base <ref>               the other side: the last common commit with this ref (origin/main)
  --base-supergraph <file>   two supergraphs instead of two versions of the repository
  --head-supergraph <file>
  --usage <file>             recorded usage, as pnpm graph usage --export writes it; for a contract or another
                             graph <name>=<file>, given again
  --format <format>          ${formats.join(', ')} (text)
  --write <format>=<file>    another output, in a file; may be given again
  --approve <fingerprint>    write an approval of a change into schema-approvals.yaml; may be given again. With these
                             three:
  --reason <text>
  --owner <name>
  --until <day>              as in 2026-12-31
  --help                     print this

Exit code: 0 when the change may be merged, 1 when it must not, 2 for a wrong call, 3 when nothing says whether
clients would break.`;

await runCommand({
  name: 'pnpm check',
  help,
  read: readCall,
  run: (call) => call(),
  lineFor: (error) => (error instanceof ManifestError ? error.message : systemError(error)),
});

function readCall(args: readonly string[]): () => Promise<void> {
  const { flags } = readArgs(args, {
    base: { type: 'string', default: 'origin/main' },
    'base-supergraph': { type: 'string' },
    'head-supergraph': { type: 'string' },
    usage: { type: 'string', multiple: true, default: [] },
    format: { type: 'string', default: 'text' },
    write: { type: 'string', multiple: true, default: [] },
    approve: { type: 'string', multiple: true, default: [] },
    reason: { type: 'string' },
    owner: { type: 'string' },
    until: { type: 'string' },
  });
  const options = {
    base: flags.base,
    baseSupergraph: flags['base-supergraph'],
    headSupergraph: flags['head-supergraph'],
    ...readUsageFlags(flags.usage),
    createReadFigures,
    readLimits: readGatewayLimits,
  };
  const { approve: fingerprints, reason, owner, until } = flags;
  if (fingerprints.length === 0) {
    const outputs = { format: formatOf('--format', flags.format), files: flags.write.map(readOutput) };
    return () => checkAndReport(options, outputs);
  }
  if (reason === undefined || owner === undefined || until === undefined) {
    throw new UsageError('--approve needs --reason, --owner and --until');
  }
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(until)) {
    throw new UsageError(`--until is ${JSON.stringify(until)}; it takes a day such as 2026-12-31`);
  }
  return () => approve(options, { fingerprints, reason, owner, until });
}

function readUsageFlags(texts: readonly string[]): Pick<CheckOptions, 'usage' | 'usageOf'> {
  const [usage, second] = texts.filter((text) => !isNamed(text));
  if (second !== undefined) {
    throw new UsageError(`--usage has ${usage} and ${second}: only one may be without <name>=`);
  }
  const named = texts.filter(isNamed).map((text) => readPair('--usage', text));
  const usageOf = new Map(named);
  if (usageOf.size < named.length) {
    throw new UsageError('--usage names a graph twice');
  }
  return { usage, usageOf };
}

/** The name of a graph goes before the sign; a path has other characters too. */
function isNamed(text: string): boolean {
  return /^[\w-]{1,64}=/u.test(text);
}

function readOutput(text: string): readonly [Format, string] {
  const [format, file] = readPair('--write', text);
  return [formatOf('--write', format), file];
}

function readPair(flag: string, text: string): readonly [string, string] {
  const sign = text.indexOf('=');
  if (sign < 1 || sign === text.length - 1) {
    throw new UsageError(
      `${flag} is ${JSON.stringify(text)}; it takes ${flag === '--write' ? '<format>' : '<name>'}=<file>`,
    );
  }
  return [text.slice(0, sign), text.slice(sign + 1)];
}

function formatOf(flag: string, name: string): Format {
  const format = formats.find((one) => one === name);
  if (format === undefined) {
    throw new UsageError(`${flag} is ${JSON.stringify(name)}; it takes ${formats.join(', ')}`);
  }
  return format;
}
