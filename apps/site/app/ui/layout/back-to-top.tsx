/**
 * A link to the top. With script it appears once the page has been scrolled (back-to-top.behaviour.ts); without, it
 * stands at the foot of the page.
 */
export function BackToTop() {
  return (
    <a href="#top" className="back-to-top">
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <path
          d="M8 14V2M3 7l5-5 5 5"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span>Back to top</span>
    </a>
  );
}
