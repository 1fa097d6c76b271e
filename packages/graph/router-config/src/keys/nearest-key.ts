import { editDistance } from '@meridian/settings/values';

/** The number of unknown keys of one file that are compared with all known ones: an author reads no more. */
const maxCompared = 50;
/** The longest path that is compared. */
const maxLength = 200;

const inSupergraphYaml =
  'subgraphs are listed in supergraph.yaml, the input of composition; override_subgraph_url changes their URLs';
const byHeader =
  'to log some requests only, give events of telemetry.instrumentation.events a condition, such as exists: { request_header: x-log }';
const withoutMerge = 'YAML 1.2 has no merge keys: an alias is a whole value';
const supergraphFile = 'the file of the supergraph is named by --supergraph, or SUPERGRAPH_PATH';

/**
 * Keys that files for Apollo Router hold though its current versions lack them, each with a sentence: earlier keys whose
 * meaning has changed, and names that authors expect.
 */
const expectedNames: ReadonlyMap<string, string> = new Map([
  ['authentication.experimental', 'key sets are listed in authentication.router.jwt.jwks'],
  ['experimental.include_subgraph_errors', 'the section is include_subgraph_errors'],
  ['federation_version', inSupergraphYaml],
  ['listen', 'the address for clients is supergraph.listen'],
  ['log', 'LOG_LEVEL and --log set the level of lines'],
  [
    'logging',
    'the form of lines is telemetry.exporters.logging.stdout.format; LOG_LEVEL and --log set their level',
  ],
  [
    'rate_limiting',
    'limits of rates are traffic_shaping.router.global_rate_limit and traffic_shaping.subgraphs.*.global_rate_limit',
  ],
  ['schema', supergraphFile],
  ['server.bind', 'the address for clients is supergraph.listen'],
  ['subgraphs', inSupergraphYaml],
  ['subscription.mode.preview_callback', 'subscription.mode.callback has a later version of the protocol'],
  ['supergraph.schema', supergraphFile],
  ['supergraph.subgraphs', inSupergraphYaml],
  ['telemetry.experimental_logging', byHeader],
  ['telemetry.exporters.logging.experimental_when_header', byHeader],
  [
    'telemetry.exporters.metrics.common.attributes',
    'attributes of requests belong to instruments: telemetry.instrumentation.instruments',
  ],
  [
    'telemetry.exporters.tracing.jaeger',
    'Jaeger takes OTLP, by gRPC at port 4317: telemetry.exporters.tracing.otlp',
  ],
]);

/** Creates a function that completes a sentence about an unknown key of a file. */
export function nearestKeyRemarks(known: readonly string[]): (path: string) => string {
  let compared = 0;
  return (path) => {
    const remark = path.endsWith('<<') ? withoutMerge : expectedNames.get(path);
    if (remark !== undefined) {
      return remark;
    }
    compared += 1;
    if (compared > maxCompared) {
      return 'docs/router-yaml.md has every known key';
    }
    const nearest = path.length > maxLength ? undefined : nearestKey(path, known);
    return nearest === undefined ? 'no known key has a similar name' : `the nearest known key is ${nearest}`;
  };
}

/**
 * The known path that the author most likely meant: one with the same last name in another place, the nearest, unless a
 * name in the same place is almost equal; else the one with the fewest letters to change, in the same place if possible. Undefined
 * where more than half of the letters would change.
 */
function nearestKey(path: string, known: readonly string[]): string | undefined {
  const name = lastName(path);
  const siblings = known.filter((candidate) => parentOf(candidate) === parentOf(path));
  const sibling = closest(name, siblings, (text, candidate) => editDistance(text, lastName(candidate)));
  if (sibling !== undefined && editDistance(name, lastName(sibling)) <= Math.max(2, name.length / 3)) {
    return sibling;
  }
  return (
    nearestPlace(
      path,
      known.filter((candidate) => lastName(candidate) === name),
    ) ?? (sibling === undefined ? ifSimilar(path, closest(path, known)) : ifSimilar(path, sibling, lastName))
  );
}

/** The candidate that lies in the most sections of the path; of several, the first. */
function nearestPlace(path: string, candidates: readonly string[]): string | undefined {
  const names = path.split('.');
  const shared = (candidate: string): number => {
    const others = candidate.split('.');
    const index = names.findIndex((name, at) => name !== others[at]);
    return index === -1 ? names.length : index;
  };
  return candidates.toSorted((one, other) => shared(other) - shared(one))[0];
}

function ifSimilar(
  path: string,
  candidate: string | undefined,
  part = (text: string): string => text,
): string | undefined {
  return candidate !== undefined && editDistance(part(path), part(candidate)) <= part(path).length / 2
    ? candidate
    : undefined;
}

/** The candidate with the fewest letters to change in a text, of which a long part counts; of several, the first. */
export function closest(
  text: string,
  candidates: readonly string[],
  distance: (text: string, candidate: string) => number = editDistance,
): string | undefined {
  const compared = text.slice(0, maxLength);
  const ranked = candidates.map((candidate) => ({ candidate, letters: distance(compared, candidate) }));
  return ranked.toSorted((one, other) => one.letters - other.letters)[0]?.candidate;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), 0));
}
