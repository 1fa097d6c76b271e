/** A child of an element. Text is always text: nothing of a schema becomes markup. */
export type Child = Node | string | number | undefined | false | readonly Child[];

/** Attributes by name; undefined and false leave one out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an HTML element. */
export function element(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElement {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      created.setAttribute(name, value === true ? '' : String(value));
    }
  }
  append(created, children);
  return created;
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (typeof child === 'string' || typeof child === 'number') {
      parent.appendChild(document.createTextNode(String(child)));
    } else if (child instanceof Node) {
      parent.appendChild(child);
    } else if (child !== undefined && child !== false) {
      append(parent, child);
    }
  }
}

/** Parses a drawing as XML, so that a fault in it shows instead of becoming a part of the page. */
export function drawing(svg: string): Node {
  return document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true);
}
