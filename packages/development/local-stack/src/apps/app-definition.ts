export const appKinds = ['gateway', 'service', 'subgraph'] as const;

/** Of a `gateway` there is one. A `service` is REST alone; a `subgraph` is composed, and may be REST too. */
export type AppKind = (typeof appKinds)[number];

/** An app that runs, as its app.yaml and its folder have it. */
export interface App {
  /** The name of its folder below apps/. */
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

/** A subgraph that runs elsewhere: another team's, of another stack or another repository. */
export interface ExternalSubgraph {
  /** The name of its folder below apps/, which has its schema. */
  readonly name: string;
  readonly kind: 'external';
  /** The team, as .github/CODEOWNERS names it. */
  readonly owner: string;
  /** Where the gateway asks it, unless `<NAME>_URL` says otherwise. */
  readonly url: string;
  /** The header fields of the client's request that it gets, in lower case. */
  readonly headers: readonly string[];
}

/** A folder below apps/ that has an app.yaml. */
export type Member = App | ExternalSubgraph;

export function isExternal(member: Member): member is ExternalSubgraph {
  return member.kind === 'external';
}

/** The file in an app's folder. */
export const appFile = 'app.yaml';

/** A name is a host name, and a part of a database's and a variable's. */
export const appNamePattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;

/** The form of a name, for messages. */
export const appNameTakes = 'lowercase words with hyphens between them, such as gift-cards';

/** An app's name in variables: `GIFT_CARDS` of `gift-cards`. */
export function variablePrefixOf(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

/** The variable that has the URL of an app. */
export function variableOf(name: string): string {
  return `${variablePrefixOf(name)}_URL`;
}

/** The app whose URL a variable has; undefined for another variable. */
export function nameInVariable(variable: string): string | undefined {
  const prefix = /^(?<prefix>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_URL$/u.exec(variable)?.groups?.['prefix'];
  return prefix?.replaceAll('_', '-').toLowerCase();
}
