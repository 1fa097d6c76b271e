/**
 * Lays rows of cells out in columns, a line for each row.
 *
 * @param leftColumns the number of columns aligned to the left; the others, of numbers, are aligned to the right
 */
export function alignColumns(rows: readonly (readonly string[])[], leftColumns = Infinity): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < leftColumns ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
