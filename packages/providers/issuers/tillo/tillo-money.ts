/** Returns pence for a decimal amount of pounds such as `10`, `10.5` or `10.50`; null where it is none. */
export function poundsToPence(text: string): number | null {
  const [, pounds, pence = ""] = /^(\d{1,7})(?:\.(\d{1,2})0*)?$/.exec(text.trim()) ?? [];
  return pounds === undefined ? null : Number(pounds) * 100 + Number(pence.padEnd(2, "0"));
}

/** Returns the amount as Tillo's bodies and signatures have it: `10.00`. */
export function penceToPounds(amountPence: number): string {
  const digits = String(amountPence).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
