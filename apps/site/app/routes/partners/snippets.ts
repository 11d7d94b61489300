import type { SiteServices } from "../../../server/site-handler.ts";

/**
 * Returns the widget's script as a tag: pinned to this release by its hash or, where none is built, with the address of
 * the latest release.
 */
export function scriptTag(origin: string, release: NonNullable<SiteServices["widgetRelease"]> | null): string {
  const pinned = release ? `\n  integrity="${release.integrity}"\n  crossorigin="anonymous"` : "";
  return `<script
  src="${origin}${release?.scriptPath ?? "/widget/farthing-widget.js"}"${pinned}
  data-base-url="${origin}"
  data-publishable-key="pk_live_…"
  async
></script>`;
}

export const ELEMENT_MARKUP = `<farthing-widget
  environment="production"
  token="TOKEN FROM YOUR SERVER"
  path="/pay"
  show-payment-errors
  class="payment"
></farthing-widget>`;

export const MOUNT_SCRIPT = `const widget = Farthing.mount("#payment", {
  environment: "production",
  token, // from your server
  path: "/pay",
  showPaymentErrors: true,
  className: "payment",
  onEvent: ({ type, payload }) => console.log(type, payload),
});`;

export const reactCode = (
  origin: string,
) => `import { defineEnvironments, FarthingWidget } from "@farthing/widget/react";

defineEnvironments({
  production: { baseUrl: "${origin}", publishableKey: "pk_live_…" },
});

export function Payment({ token }) {
  return (
    <FarthingWidget
      environment="production"
      token={token}
      path="/pay"
      showPaymentErrors
      style={{ height: 560 }}
      onEvent={({ type, payload }) => console.log(type, payload)}
    />
  );
}`;

export const mintRequest = (origin: string) => `curl ${origin}/api/partner/sessions \\
  -H "Authorization: Bearer $PARTNER_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "origin": "https://shop.example", "amountPence": 3420, "reference": "basket-1042", "oncePerReference": true, "description": "Friday hamper" }'`;

export const mintAnswer = (origin: string) => `{
  "sessionId": "…",
  "token": "…",
  "expiresAt": "2026-11-20T10:01:00.000Z",
  "redirectUrl": "${origin}/redirect?path=%2Fpay&token=…"
}`;

export const policy = (origin: string) => `script-src  ${origin} https://js.stripe.com https://*.js.stripe.com;
frame-src   ${origin} https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;
connect-src https://api.stripe.com;`;
