/** The four origins: the partner's site, the service, an attacker's site, the card provider. */
const first = Number(process.env.WIDGET_TEST_PORT ?? 4500);

export const ports = { partner: first, service: first + 1, attacker: first + 2, cards: first + 3 };
export const partner = `http://localhost:${ports.partner}`;
export const service = `http://127.0.0.1:${ports.service}`;
export const attacker = `http://localhost:${ports.attacker}`;
export const cards = `http://127.0.0.1:${ports.cards}`;
