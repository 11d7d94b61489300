import type { ReactNode } from "react";

/**
 * A small button that shows an explanation. The browser's own popover works without script, closes on Escape and on
 * a press elsewhere, and exposes its state. `children` are phrasing content, because the button may stand in a line
 * of text.
 */
export function InfoPopup({ id, about, children }: { id: string; about: string; children: ReactNode }) {
  return (
    <span className="info-popup-place">
      <button type="button" className="info-button" popoverTarget={id}>
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="8.500" fill="none" stroke="currentColor" strokeWidth="1.600" />
          <path d="M10 9.200v5M10 5.900v.1" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
        <span className="visually-hidden">About {about}</span>
      </button>
      <span id={id} className="info-popup" popover="auto">
        {children}
      </span>
    </span>
  );
}
