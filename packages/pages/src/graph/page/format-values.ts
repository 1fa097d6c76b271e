const numbers = new Intl.NumberFormat('en-GB');
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
  return amount === undefined ? '–' : `${numbers.format(Math.round(amount))} ms`;
}

export function clientName(name: string): string {
  return name === '' ? '(unnamed client)' : name;
}
