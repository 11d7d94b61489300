export { connect, WindowMessenger } from "penpal";
