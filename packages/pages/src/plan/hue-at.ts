/** Degrees of the golden angle: neighbours in a list get hues far apart, however long it is. */
const goldenAngle = 137.508;

/** The hue of the subgraph at a place of a list, in degrees. */
export function hueAt(index: number): number {
  return Math.round((212 + index * goldenAngle) % 360);
}
