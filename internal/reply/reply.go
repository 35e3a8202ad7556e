// Package reply holds what the faces of git ltm have in common: the one JSON shape of each answer, the words
// for what went wrong, and the forms in which people and models name ends and places.
//
// What records say is cleaned before it is put into a shape, so that whoever prints it need not. The names of
// members are stable.
package reply
