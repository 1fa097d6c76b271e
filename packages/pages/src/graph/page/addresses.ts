/** A view of the page: what the fragment of its address says. */
export type View =
  | { readonly kind: 'overview' }
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'field'; readonly type: string; readonly field: string }
  | { readonly kind: 'operation'; readonly key: string }
  | { readonly kind: 'subgraph'; readonly name: string };

export const addressOf = {
  overview: '#',
  type: (name: string): string => `#type/${encodeURIComponent(name)}`,
  field: (type: string, field: string): string =>
    `#field/${encodeURIComponent(type)}/${encodeURIComponent(field)}`,
  operation: (key: string): string => `#operation/${encodeURIComponent(key)}`,
  subgraph: (name: string): string => `#subgraph/${encodeURIComponent(name)}`,
};

/** The view at an address; the overview for one that is none. */
export function viewAt(fragment: string): View {
  const [kind = '', name = '', member = ''] = fragment.replace(/^#/u, '').split('/').map(decode);
  switch (kind) {
    case 'type':
      return { kind, type: name };
    case 'field':
      return { kind, type: name, field: member };
    case 'operation':
      return { kind, key: name };
    case 'subgraph':
      return { kind, name };
    default:
      return { kind: 'overview' };
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
