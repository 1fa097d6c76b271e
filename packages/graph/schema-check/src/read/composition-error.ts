import type { CompositionIssue, SubgraphSchema } from '@meridian/composition';
import { describeIssue } from '@meridian/composition';
import { CommandError } from '@meridian/settings/command-line';

/** A subgraph as one version of the repository has it. */
export interface SubgraphFile extends SubgraphSchema {
  readonly file: string;
}

/** A graph or a contract that does not compose. */
export class CompositionError extends CommandError {
  override readonly name = 'CompositionError';
  readonly issues: readonly LocatedIssue[];

  /** `graph`, or `contract partner`. */
  readonly subject: string;

  /** @param file that is at fault where an issue has no place */
  constructor(
    headline: string,
    issues: readonly CompositionIssue[],
    { subject, file }: { readonly subject: string; readonly file: string },
    subgraphs: readonly SubgraphFile[] = [],
  ) {
    const files = new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph.file]));
    const sdls = new Map(subgraphs.map(({ name, sdl }) => [name, sdl]));
    const located = issues.map((issue): LocatedIssue => {
      const places = issue.locations.map(({ subgraph, start }) => ({
        subgraph,
        file: files.get(subgraph),
        ...start,
      }));
      return {
        text: describeIssue(issue, files, sdls),
        places: places.length > 0 ? places : [{ file }],
      };
    });
    super([headline, ...located.map(({ text }) => text)].join('\n\n'));
    this.issues = located;
    this.subject = subject;
  }
}

interface LocatedIssue {
  /** As a terminal shows it, in several lines that begin with the code. */
  readonly text: string;
  readonly places: readonly FaultPlace[];
}

/** A place of a fault. */
export interface FaultPlace {
  readonly subgraph?: string;
  readonly file: string | undefined;
  readonly line?: number;
  readonly column?: number;
}
