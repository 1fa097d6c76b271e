const numbers = new Intl.NumberFormat('en-GB');
const tenths = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

/** `1 field`, `1,234 fields` */
export function count(amount: number, one: string, several = `${one}s`): string {
  return `${numbers.format(amount)} ${amount === 1 ? one : several}`;
}

export function figure(amount: number | undefined): string {
  return amount === undefined ? '–' : numbers.format(amount);
}

export function share(amount: number | undefined): string {
  return amount === undefined ? '–' : percents.format(amount);
}

export function milliseconds(amount: number | undefined): string {
  return amount === undefined
    ? '–'
    : `${amount < 10 ? tenths.format(amount) : figure(Math.round(amount))} ms`;
}
