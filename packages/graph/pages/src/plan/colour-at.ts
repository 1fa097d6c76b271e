/** Degrees of the golden angle: neighbours in a list get hues far apart, however long it is. */
const goldenAngle = 137.508;

/** The colour of the subgraph at a place of a list; other lists beside it turn the hues by some degrees. */
export function colourAt(index: number, turn = 0): string {
  return `hsl(${Math.round((212 + turn + index * goldenAngle) % 360)} 60% 52%)`;
}
