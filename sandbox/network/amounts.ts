/** Converts pence to a JSON number of pounds, as the report has it. */
export function reportAmount(pence: number): number {
  return pence / 100;
}

/** Converts pence to text such as "12.34", as the push has it. */
export function amountText(pence: number): string {
  const whole = Math.trunc(Math.abs(pence) / 100);
  const rest = String(Math.abs(pence) % 100).padStart(2, "0");
  return `${pence < 0 ? "-" : ""}${whole}.${rest}`;
}

/** Formats pence for people: "£1,234.50", "€12.00". */
export function moneyText(pence: number, currency: string): string {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(pence / 100);
}

/** Converts typed text ("12", "£12.34") to pence; null if it is not an amount of money. */
export function penceFromText(text: string): number | null {
  const match = /^[£€$]?\s*(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
