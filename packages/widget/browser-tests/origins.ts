/** The four origins: the partner's site, the service, an attacker's site, the card provider. */
const first = Number(process.env.WIDGET_TEST_PORT ?? 4500);

export const ports = { partner: first, service: first + 1, attacker: first + 2, cards: first + 3 };
export const { partner, service, attacker, cards } = originsAt(first);

/** Returns the origins of a run whose first port this is. */
export function originsAt(port: number) {
  return {
    partner: `http://localhost:${port}`,
    service: `http://127.0.0.1:${port + 1}`,
    attacker: `http://localhost:${port + 2}`,
    cards: `http://127.0.0.1:${port + 3}`,
  };
}
