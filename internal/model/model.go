// Package model asks a model that the user named.
package model
