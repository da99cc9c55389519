;; The address at which a pattern first begins that lies between two addresses; -1 if none does.
;;
;; A pattern in memory: four numbers, then its bytes, then its masks, each filled up with zeros to whole vectors (`$padded` bytes).
;; A byte b of the memory is that of the pattern if b & mask is.
;;
;; 64 addresses at a time are asked whether two bytes of the pattern, the rarest ones, stand where they should. Only where both do, all
;; of it is compared (the "packed pair" search of ripgrep's memchr). It may read 64 bytes beyond `$to`.
(module
  (memory (export "memory") 1)

  (func (export "run") (param $at i32) (param $to i32) (param $pattern i32) (result i32)
    ;; The last address at which the pattern can begin.
    (local $last i32)
    (local $padded i32)
    (local $bytes i32)
    (local $masks i32)
    ;; The places in the pattern to look at first, what should stand there, and how that is compared.
    (local $first i32)
    (local $second i32)
    (local $firstByte v128)
    (local $firstMask v128)
    (local $secondByte v128)
    (local $secondMask v128)
    ;; Where those two bytes of the address `$at` are.
    (local $a i32)
    (local $b i32)
    ;; Of 16 addresses from `$at` on all ones where both bytes are right, and a bit for each of them.
    (local $right v128)
    (local $candidates i32)
    (local $candidate i32)
    (local $compared i32)

    (local.set $last (i32.sub (local.get $to) (i32.load offset=0 (local.get $pattern))))
    (local.set $first (i32.load offset=4 (local.get $pattern)))
    (local.set $second (i32.load offset=8 (local.get $pattern)))
    (local.set $padded (i32.load offset=12 (local.get $pattern)))
    (local.set $bytes (i32.add (local.get $pattern) (i32.const 16)))
    (local.set $masks (i32.add (local.get $bytes) (local.get $padded)))
    (local.set $firstByte (v128.load8_splat (i32.add (local.get $bytes) (local.get $first))))
    (local.set $firstMask (v128.load8_splat (i32.add (local.get $masks) (local.get $first))))
    (local.set $secondByte (v128.load8_splat (i32.add (local.get $bytes) (local.get $second))))
    (local.set $secondMask (v128.load8_splat (i32.add (local.get $masks) (local.get $second))))

    (loop $search
      (if (i32.gt_s (local.get $at) (local.get $last)) (then (return (i32.const -1))))
      (local.set $a (i32.add (local.get $at) (local.get $first)))
      (local.set $b (i32.add (local.get $at) (local.get $second)))
      (local.set $right
        (v128.and
          (i8x16.eq (v128.and (v128.load offset=0 (local.get $a)) (local.get $firstMask)) (local.get $firstByte))
          (i8x16.eq (v128.and (v128.load offset=0 (local.get $b)) (local.get $secondMask)) (local.get $secondByte))))
      (if
        (i32.eqz
          (v128.any_true
            (v128.or
              (v128.or
                (local.get $right)
                (v128.and
                  (i8x16.eq (v128.and (v128.load offset=16 (local.get $a)) (local.get $firstMask)) (local.get $firstByte))
                  (i8x16.eq (v128.and (v128.load offset=16 (local.get $b)) (local.get $secondMask)) (local.get $secondByte))))
              (v128.or
                (v128.and
                  (i8x16.eq (v128.and (v128.load offset=32 (local.get $a)) (local.get $firstMask)) (local.get $firstByte))
                  (i8x16.eq (v128.and (v128.load offset=32 (local.get $b)) (local.get $secondMask)) (local.get $secondByte)))
                (v128.and
                  (i8x16.eq (v128.and (v128.load offset=48 (local.get $a)) (local.get $firstMask)) (local.get $firstByte))
                  (i8x16.eq (v128.and (v128.load offset=48 (local.get $b)) (local.get $secondMask)) (local.get $secondByte)))))))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br $search)))

      (local.set $candidates (i8x16.bitmask (local.get $right)))
      (loop $next
        (if (local.get $candidates)
          (then
            (local.set $candidate (i32.add (local.get $at) (i32.ctz (local.get $candidates))))
            (if (i32.gt_s (local.get $candidate) (local.get $last)) (then (return (i32.const -1))))
            (local.set $compared (i32.const 0))
            (block $differs
              (loop $compare
                (br_if $differs
                  (i32.eqz
                    (i8x16.all_true
                      (i8x16.eq
                        (v128.and
                          (v128.load (i32.add (local.get $candidate) (local.get $compared)))
                          (v128.load (i32.add (local.get $masks) (local.get $compared))))
                        (v128.load (i32.add (local.get $bytes) (local.get $compared)))))))
                (local.set $compared (i32.add (local.get $compared) (i32.const 16)))
                (br_if $compare (i32.lt_s (local.get $compared) (local.get $padded)))
                (return (local.get $candidate))))
            ;; Without the lowest bit.
            (local.set $candidates
              (i32.and (local.get $candidates) (i32.sub (local.get $candidates) (i32.const 1))))
            (br $next))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $search))
    (unreachable)))
