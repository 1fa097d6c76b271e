export const appKinds = ['gateway', 'service', 'subgraph'] as const;

/** Of a `gateway` there is one. A `service` is REST alone; a `subgraph` is composed, and may be REST too. */
export type AppKind = (typeof appKinds)[number];

/** An app that runs, as its app.yaml and its folder have it. */
export interface App {
  /** The name of its folder below apps/. Its database and role are `meridian_<name>`. */
  readonly name: string;
  readonly kind: AppKind;
  /** The team, as .github/CODEOWNERS names it. */
  readonly owner: string;
  readonly port: number;
  readonly adminPort: number;
  /** The subgraphs that it asks; of the gateway, all. */
  readonly calls: readonly string[];
  readonly hasDatabase: boolean;
  readonly hasDemoData: boolean;
}

/** The file in an app's folder. */
export const appFile = 'app.yaml';

/** A name is part of a role, a variable and a host name, so it has lowercase letters and digits alone. */
export const appNamePattern = /^[a-z][a-z0-9]*$/u;

/** The variable that has the URL of an app. */
export function variableOf(name: string): string {
  return `${name.toUpperCase()}_URL`;
}
