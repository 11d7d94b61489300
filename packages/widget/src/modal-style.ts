/**
 * The modal's stylesheet. The build also writes it to farthing-widget.css, for pages that prefer to link it. The spinner has half the opacity
 * of the text around it: a grey with a contrast of at least 3:1, on the white dialog and on the grey button. W7 specifies sizes, layer and
 * timing. The dialog is always light, like the card form inside it.
 *
 * The modal is in the page's own document, because the card provider's form refuses a shadow root. So every element of the modal down to the
 * provider's is reset, with its pseudo-elements: `fields` and its siblings, but nothing inside `fields`. Each selector has the specificity of
 * two ids, so a page's rules for `form`, `button`, `[role]` or `[aria-busy]` do not reach it. `all` excludes direction.
 */
export const modalStyle = `
:root:has(.farthing-modal) {
  overflow: hidden !important;
}
:root:has(.farthing-scrolls) {
  scrollbar-gutter: stable !important;
}
:not(#_#_).farthing-modal {
  &, > *, > * > *, > * > form > *, i {
    all: initial;
    direction: ltr;
    display: block;
    &::before, &::after {
      content: none;
    }
  }
  > *, > * > *, > * > form > *, i {
    cursor: inherit;
    font: inherit;
    color: inherit;
  }
}
:not(#_#_).farthing-modal {
  position: fixed;
  inset: 0;
  z-index: 1000;
  display: grid;
  place-items: center;
  background: #0f1219a6;
  animation: farthing-fade .3s;
  > [role=dialog] {
    box-sizing: border-box;
    width: 90%;
    max-width: 500px;
    max-height: 80vh;
    overflow: auto;
    padding: 24px;
    border-radius: 16px;
    outline: 1px solid #0000;
    background: #fff;
    color: #191c22;
    color-scheme: light;
    font: 16px/1.5 system-ui;
    box-shadow: 0 24px 64px #0f1219a6;
    animation: farthing-slide .3s;
  }
  h2 {
    margin-bottom: 20px;
    font-size: 22px;
    font-weight: 600;
  }
  i {
    box-sizing: border-box;
    width: 26px;
    height: 26px;
    border: 3px solid;
    border-top-color: #0000;
    border-radius: 50%;
    opacity: .5;
    animation: farthing-spin .75s linear infinite;
  }
  form > i {
    margin: 122px auto;
  }
  i + div {
    height: 0;
    overflow: hidden;
  }
  [role=alert] {
    margin-top: 20px;
    color: #a3160b;
  }
  [role=status] {
    position: absolute;
    clip-path: inset(50%);
  }
  > * > form > button {
    box-sizing: border-box;
    display: flex;
    place-content: center;
    place-items: center;
    gap: 12px;
    width: 100%;
    min-height: 52px;
    margin-top: 20px;
    border: 1px solid #0003;
    border-radius: 10px;
    font-weight: 600;
    &:enabled {
      cursor: pointer;
    }
    &:focus-visible {
      outline: 3px solid #191c22;
      outline-offset: 3px;
    }
  }
  @media (prefers-reduced-motion) {
    &, * { animation: none !important; }
  }
}
@keyframes farthing-fade {
  0% { opacity: 0; }
}
@keyframes farthing-slide {
  0% { translate: 0 28px; }
}
@keyframes farthing-spin {
  to { rotate: 1turn; }
}
`;
