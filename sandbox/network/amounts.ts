/** Pence as the report writes money: a JSON number of pounds. */
export function reportAmount(pence: number): number {
  return pence / 100;
}

/** Pence as the push writes money: text, "12.34". */
export function amountText(pence: number): string {
  const whole = Math.trunc(Math.abs(pence) / 100);
  const rest = String(Math.abs(pence) % 100).padStart(2, "0");
  return `${pence < 0 ? "-" : ""}${whole}.${rest}`;
}

/** Pence for people: "£1,234.50", "€12.00". */
export function moneyText(pence: number, currency: string): string {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(pence / 100);
}

/** What a person typed ("12", "£12.34") as pence; null when it is not an amount of money. */
export function penceFromText(text: string): number | null {
  const match = /^[£€$]?\s*(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
