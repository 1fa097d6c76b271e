import type { SubgraphSchema } from '@meridian/composition';

/** The schema of one subgraph, while it is made. */
export interface Draft {
  readonly name: string;
  /** By type: the text before its fields, and the fields. */
  readonly types: Map<string, { head: string; readonly fields: Map<string, string> }>;
  readonly extra: string[];
}

const header = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires",
  "@external", "@shareable", "@provides", "@interfaceObject", "@override", "@context", "@fromContext"])
enum Unit { CM IN }
scalar JSON
`;

export function draftOf(drafts: ReadonlyMap<string, Draft>, name: string): Draft {
  const draft = drafts.get(name);
  if (draft === undefined) {
    throw new Error(`There is no subgraph ${name}`);
  }
  return draft;
}

/** Declares a type, or adds to one that is declared already. */
export function declareType(draft: Draft, name: string, head: string, fields: readonly string[]): void {
  draft.types.set(name, {
    head: draft.types.get(name)?.head ?? head,
    fields: draft.types.get(name)?.fields ?? new Map(),
  });
  fields.forEach((field) => addField(draft, name, field));
}

/** Lets a declared type implement an interface. */
export function implement(draft: Draft, typeName: string, interfaceName: string): void {
  const type = draft.types.get(typeName);
  if (type !== undefined) {
    type.head = type.head.startsWith('implements ')
      ? type.head.replace('implements ', `implements ${interfaceName} & `)
      : `implements ${interfaceName} ${type.head}`;
  }
}

/** Adds a field, where the type has none of that name. */
export function addField(draft: Draft, typeName: string, field: string): void {
  const type = draft.types.get(typeName) ?? { head: '', fields: new Map<string, string>() };
  draft.types.set(typeName, type);
  const [name = ''] = /^\w+/.exec(field) ?? [];
  if (!type.fields.has(name)) {
    type.fields.set(name, field);
  }
}

export function printDraft({ name, types, extra }: Draft): SubgraphSchema {
  const printed = [...types].map(
    ([typeName, { head, fields }]) => `type ${typeName} ${head} {\n  ${[...fields.values()].join('\n  ')}\n}`,
  );
  return { name, routingUrl: `http://${name}`, sdl: [header, ...extra, ...printed].join('\n') };
}
