/** The database of an app, and the role that uses it: `meridian_gift_cards` of `gift-cards`. */
export function databaseOf(app: string): string {
  return `meridian_${app.replaceAll('-', '_')}`;
}
