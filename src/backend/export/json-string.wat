;; Writes the UTF-16 text between two even addresses to the address `$out`, in UTF-8, with the escapes that `JSON.stringify` writes (of
;; lone surrogates, too) and those of `terminalSafeText`. Gives where that ends.
;;
;; ASCII characters without escapes are written 16 at a time. It may read and write 32 bytes beyond the text and what becomes of it.
;;
;; At the beginning of the memory stand 16 bytes for each ASCII character: its escape, and last how many bytes that has; zeros for a
;; character that is written as it is.
(module
  (memory (export "memory") 1)

  (func (export "run") (param $at i32) (param $to i32) (param $out i32) (result i32)
    (local $units v128)
    (local $special i32)
    (local $skipped i32)
    (local $unit i32)
    ;; The second of a pair of surrogates.
    (local $low i32)
    (local $escape i32)
    (local $length i32)

    ;; What stands behind the text may look like the rest of a pair.
    (i32.store16 (local.get $to) (i32.const 0))

    (block $end
      (loop $text
        (br_if $end (i32.ge_s (local.get $at) (local.get $to)))
        ;; 16 characters as bytes. All that is not ASCII becomes negative or zero.
        (local.set $units (i8x16.narrow_i16x8_u (v128.load (local.get $at)) (v128.load offset=16 (local.get $at))))
        (v128.store (local.get $out) (local.get $units))
        ;; Below the blank, DEL (which one more makes negative), a quote, a backslash.
        (local.set $special
          (i8x16.bitmask
            (v128.or
              (i8x16.lt_s
                (i8x16.add (local.get $units) (i8x16.splat (i32.const 1)))
                (i8x16.splat (i32.const 0x21)))
              (v128.or
                (i8x16.eq (local.get $units) (i8x16.splat (i32.const 0x22)))
                (i8x16.eq (local.get $units) (i8x16.splat (i32.const 0x5c)))))))
        (if (i32.eqz (local.get $special))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 32)))
            (local.set $out (i32.add (local.get $out) (i32.const 16)))
            (br $text)))
        (local.set $skipped (i32.ctz (local.get $special)))
        (local.set $at (i32.add (local.get $at) (i32.shl (local.get $skipped) (i32.const 1))))
        (local.set $out (i32.add (local.get $out) (local.get $skipped)))

        ;; One character after the other, until one that is ASCII and written as it is: others may follow it.
        (loop $character
          (br_if $end (i32.ge_s (local.get $at) (local.get $to)))
          (local.set $unit (i32.load16_u (local.get $at)))
          (if (i32.lt_u (local.get $unit) (i32.const 0x80))
            (then
              (local.set $escape (i32.shl (local.get $unit) (i32.const 4)))
              (v128.store (local.get $out) (v128.load (local.get $escape)))
              (local.set $length (i32.load8_u offset=15 (local.get $escape)))
              (br_if $text (i32.eqz (local.get $length)))
              (local.set $at (i32.add (local.get $at) (i32.const 2)))
              (local.set $out (i32.add (local.get $out) (local.get $length)))
              (br $character)))

          (block $asHex
            ;; Two bytes: 110xxxxx 10xxxxxx.
            (if (i32.lt_u (local.get $unit) (i32.const 0x800))
              (then
                (br_if $asHex
                  (i32.or
                    (i32.lt_u (local.get $unit) (i32.const 0xa0))
                    (i32.eq (local.get $unit) (i32.const 0x61c))))
                (i32.store8 offset=0 (local.get $out)
                  (i32.or (i32.const 0xc0) (i32.shr_u (local.get $unit) (i32.const 6))))
                (i32.store8 offset=1 (local.get $out) (call $rest (local.get $unit)))
                (local.set $at (i32.add (local.get $at) (i32.const 2)))
                (local.set $out (i32.add (local.get $out) (i32.const 2)))
                (br $character)))

            ;; A pair of surrogates is four bytes: 11110xxx and three of 10xxxxxx. A lone one is escaped.
            (if (i32.eq (i32.and (local.get $unit) (i32.const 0xf800)) (i32.const 0xd800))
              (then
                (local.set $low (i32.load16_u offset=2 (local.get $at)))
                (br_if $asHex
                  (i32.or
                    (i32.ge_u (local.get $unit) (i32.const 0xdc00))
                    (i32.ne (i32.and (local.get $low) (i32.const 0xfc00)) (i32.const 0xdc00))))
                (local.set $unit
                  (i32.add
                    (i32.const 0x10000)
                    (i32.or
                      (i32.shl (i32.and (local.get $unit) (i32.const 0x3ff)) (i32.const 10))
                      (i32.and (local.get $low) (i32.const 0x3ff)))))
                (i32.store8 offset=0 (local.get $out)
                  (i32.or (i32.const 0xf0) (i32.shr_u (local.get $unit) (i32.const 18))))
                (i32.store8 offset=1 (local.get $out) (call $rest (i32.shr_u (local.get $unit) (i32.const 12))))
                (i32.store8 offset=2 (local.get $out) (call $rest (i32.shr_u (local.get $unit) (i32.const 6))))
                (i32.store8 offset=3 (local.get $out) (call $rest (local.get $unit)))
                (local.set $at (i32.add (local.get $at) (i32.const 4)))
                (local.set $out (i32.add (local.get $out) (i32.const 4)))
                (br $character)))

            ;; U+200E, U+200F, U+202A … U+202E, U+2066 … U+2069.
            (br_if $asHex
              (i32.or
                (i32.eq (i32.and (local.get $unit) (i32.const 0xfffe)) (i32.const 0x200e))
                (i32.or
                  (i32.lt_u (i32.sub (local.get $unit) (i32.const 0x202a)) (i32.const 5))
                  (i32.lt_u (i32.sub (local.get $unit) (i32.const 0x2066)) (i32.const 4)))))
            ;; Three bytes: 1110xxxx 10xxxxxx 10xxxxxx.
            (i32.store8 offset=0 (local.get $out)
              (i32.or (i32.const 0xe0) (i32.shr_u (local.get $unit) (i32.const 12))))
            (i32.store8 offset=1 (local.get $out) (call $rest (i32.shr_u (local.get $unit) (i32.const 6))))
            (i32.store8 offset=2 (local.get $out) (call $rest (local.get $unit)))
            (local.set $at (i32.add (local.get $at) (i32.const 2)))
            (local.set $out (i32.add (local.get $out) (i32.const 3)))
            (br $character))

          ;; \u and four digits.
          (i32.store16 offset=0 (local.get $out) (i32.const 0x755c))
          (i32.store8 offset=2 (local.get $out) (call $digit (i32.shr_u (local.get $unit) (i32.const 12))))
          (i32.store8 offset=3 (local.get $out) (call $digit (i32.shr_u (local.get $unit) (i32.const 8))))
          (i32.store8 offset=4 (local.get $out) (call $digit (i32.shr_u (local.get $unit) (i32.const 4))))
          (i32.store8 offset=5 (local.get $out) (call $digit (local.get $unit)))
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (local.set $out (i32.add (local.get $out) (i32.const 6)))
          (br $character))))

    ;; The last 16 characters may have gone on behind the text.
    (i32.sub (local.get $out) (i32.shr_u (i32.sub (local.get $at) (local.get $to)) (i32.const 1))))

  ;; The lowest six bits, as a byte of UTF-8 that goes on: 10xxxxxx.
  (func $rest (param $bits i32) (result i32)
    (i32.or (i32.const 0x80) (i32.and (local.get $bits) (i32.const 0x3f))))

  ;; The lowest four bits as 0 … 9, a … f.
  (func $digit (param $bits i32) (result i32)
    (local $value i32)
    (local.set $value (i32.and (local.get $bits) (i32.const 0xf)))
    (i32.add
      (local.get $value)
      (select (i32.const 0x57) (i32.const 0x30) (i32.gt_u (local.get $value) (i32.const 9))))))
