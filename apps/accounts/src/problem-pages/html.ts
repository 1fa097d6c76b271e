/** A piece of HTML. Its text is already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | readonly Html[] | string | number;

/** Builds HTML from a template. Escapes the inserted values, except those that are `Html`. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(String.raw({ raw: strings }, ...pieces.map(textOf)));
}

function textOf(piece: Piece): string {
  if (piece instanceof Html) {
    return piece.text;
  }
  if (typeof piece === 'object') {
    return piece.map(textOf).join('');
  }
  return String(piece).replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
