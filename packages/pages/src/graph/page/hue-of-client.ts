import { hueAt } from '../../plan/hue-at.ts';

/** The hue of a client in a chart: not those that the first subgraphs have. */
export function hueOfClient(place: number): number {
  return (hueAt(place) + 60) % 360;
}
