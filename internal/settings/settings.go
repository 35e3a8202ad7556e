// Package settings edits settings that belong to others, and leaves every other byte alone.
package settings
