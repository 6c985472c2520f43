// The door that Pi opens; everything behind it is wired in host/.

export { angel as default } from "./host/angel.ts";
