// The precompiled header that all test programs share is built with this file.
